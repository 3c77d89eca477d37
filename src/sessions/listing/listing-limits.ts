/** Bytes that a list of tools may weigh, and so the longest message that is read. The 2,543 tools of 71 real servers weigh 5.4 MB. */
export const listingBytesMax = 32 * 1024 * 1024
/** Sentences on what is wrong with a list as such that are kept of one server. */
export const listingProblemsMax = 50
