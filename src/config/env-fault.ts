// Environment variables that turn a value of a configuration into code in a child process, before the program that
// was named has run a line of its own. Each with who reads it. Those that only an interactive shell reads (ENV,
// PROMPT_COMMAND) are not among them: programs use such names for other things.

/** By exact name, in capitals. */
const loaders: ReadonlyMap<string, string> = new Map([
  ['LD_PRELOAD', 'the dynamic linker loads the libraries it names'],
  ['LD_AUDIT', 'the dynamic linker loads the libraries it names'],
  ['LD_LIBRARY_PATH', 'the dynamic linker takes libraries from the folders it names'],
  ['GCONV_PATH', 'the C library loads converters from the folders it names'],
  ['OPENSSL_CONF', 'OpenSSL loads the modules that the file names'],
  ['OPENSSL_MODULES', 'OpenSSL loads modules from the folder it names'],
  ['NODE_OPTIONS', 'Node.js loads the modules that its options name'],
  ['NODE_PATH', 'Node.js takes modules from the folders it names'],
  ['NODE_REPL_EXTERNAL_MODULE', 'Node.js loads the module it names'],
  ['NPM_CONFIG_NODE_OPTIONS', 'npm hands it to Node.js as NODE_OPTIONS'],
  ['NPM_CONFIG_SCRIPT_SHELL', 'npm runs the program it names'],
  ['PYTHONSTARTUP', 'Python runs the file it names'],
  ['PYTHONPATH', 'Python takes modules from the folders it names'],
  ['PYTHONHOME', 'Python takes its own library from the folder it names'],
  ['PYTHONBREAKPOINT', 'Python calls the function it names'],
  ['PERL5OPT', 'Perl loads the modules that its options name'],
  ['PERL5LIB', 'Perl takes modules from the folders it names'],
  ['PERL5DB', 'Perl runs the text it holds'],
  ['RUBYOPT', 'Ruby loads the modules that its options name'],
  ['RUBYLIB', 'Ruby takes modules from the folders it names'],
  ['JAVA_TOOL_OPTIONS', 'Java loads the agents that its options name'],
  ['JDK_JAVA_OPTIONS', 'Java loads the agents that its options name'],
  ['_JAVA_OPTIONS', 'Java loads the agents that its options name'],
  ['DOTNET_STARTUP_HOOKS', '.NET loads the assemblies it names'],
  ['BASH_ENV', 'the shell runs the file it names'],
  ['PS4', 'the shell expands it for each line that it traces'],
  ['SHELLOPTS', 'it switches on shell modes that run other variables'],
])

/** By the beginning of the name, in capitals. */
const loaderPrefixes: readonly (readonly [string, string])[] = [
  ['DYLD_', 'the dynamic linker of macOS loads the libraries it names'],
  ['BASH_FUNC_', 'the shell takes it for a function'],
]

/**
 * Why a variable of this name may not be set for a server, or nothing. Letter case does not count: Windows and npm
 * do not look at it either.
 */
export function envFault(name: string): string | undefined {
  const upper = name.toUpperCase()
  return loaders.get(upper) ?? loaderPrefixes.find(([prefix]) => upper.startsWith(prefix))?.[1]
}
