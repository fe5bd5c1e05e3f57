// A node of this machine: pods of an API server, embedded or real, become processes with the arguments, variables, files and tokens of their
// specs and nothing else. Start with node.ts; container.ts is what one container gets.
export { environmentOf } from './environment.ts'
export { type Gateway, isAwsHost, openGateway } from './gateway.ts'
export { ownLoopback } from './loopback.ts'
export { type RunningNode, startNode } from './node.ts'
export type { Image, StartedWith } from './options.ts'
export type { Pod, PodContainer } from './pod.ts'
export { type ContainerProcess, type ProcessCall, startProcess } from './process.ts'
export { hasOwnRoots, mountVolumes, placed } from './root.ts'
