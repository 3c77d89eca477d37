/** The folder in a workspace for results that were too long. Searches do not look into it by themselves. */
export const resultsFolder = '.results'
