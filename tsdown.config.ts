import { defineConfig } from 'tsdown'

/**
 * Rooms that every command needs travel in one file: opening forty small ones costs a third of the start-up time.
 * What reads configurations, starts servers or runs one command alone stays apart and is loaded when it is called.
 */
const always =
  /\/src\/(core|names|permissions|targets|gates)\/|\/src\/text\/(?!linear-pattern)|\/src\/errors[./]|\/src\/report\/(tools-|totals|layout|paint|phrase|words|tokens|run)|\/src\/assembly\/(policy|facts-of|fact-maker|prepare-run|inventory|flags-without-effect|detect-sandbox|read-pins|advised)|\/src\/sources\/(sha256|candidate-of|snapshot|claw-inventory|bounded-json|checked-fields)/

/** The scripted server runs as a program of its own, from one file that can be copied anywhere. */
const scriptedServer = defineConfig({
  entry: { 'testing/scripted-server': 'src/testing/scripted-server.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  clean: false,
  outputOptions: { codeSplitting: false },
})

const library = defineConfig({
  entry: {
    index: 'src/index.ts',
    'tools/index': 'src/tools/index.ts',
    'embedders/index': 'src/embedders/index.ts',
    'adapters/ai/index': 'src/adapters/ai/index.ts',
    'agent/index': 'src/agent/index.ts',
    'runtime/index': 'src/runtime/index.ts',
    'testing/index': 'src/testing/index.ts',
    'cli/main': 'src/cli/main.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: {
    entry: [
      'index',
      'tools/index',
      'embedders/index',
      'adapters/ai/index',
      'agent/index',
      'runtime/index',
      'testing/index',
    ].map((name) => `src/${name}.ts`),
  },
  clean: true,
  // Made of dozens of files each, which every command that reads a configuration would open one by one.
  deps: { alwaysBundle: ['zod', 'yaml'] },
  copy: ['zod', 'yaml'].map((name) => ({ from: `node_modules/${name}/LICENSE`, to: `dist/licenses/${name}` })),
  outputOptions: {
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    // Declarations have chunks of their own: in one named for code, consumers would find no types.
    codeSplitting: { groups: [{ name: 'shared', test: (id: string) => always.test(id) && !id.endsWith('.d.ts') }] },
  },
})

export default [library, scriptedServer]
