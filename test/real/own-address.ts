// Where a server of this machine finds what a test serves.
import { networkInterfaces } from 'node:os'

/** An address of this machine that an EndpointSlice may hold: loopback is refused there. */
export const ownAddress: string | undefined = Object.values(networkInterfaces())
  .flat()
  .find(face => face !== undefined && face.family === 'IPv4' && !face.internal)?.address
