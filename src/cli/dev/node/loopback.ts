// Pods have a loopback of their own, and processes of this machine share one: each world has its operands serve their metrics at an
// address of it that no other has, so that their ports never meet.
import { randomInt } from 'node:crypto'

/** All of 127.0.0.0/8 is there on Linux; elsewhere worlds have to be there one after another. */
export function ownLoopback(): string {
  if (process.platform !== 'linux') return '127.0.0.1'
  return ['127', randomInt(1, 255), randomInt(1, 255), randomInt(1, 255)].join('.')
}
