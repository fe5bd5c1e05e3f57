// What Node lets one connection of HTTP/2 hold, on either side.

/**
 * Node refuses every new stream of a connection that holds more than ten megabytes, and goes on counting what a stream held that was left. What
 * either side may hold is bounded by streams and windows.
 */
export const sessionMemoryMbMax = 1_000_000
