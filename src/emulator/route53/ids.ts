// Ids on the wire and in the state.
import type { Random } from '#base'
import { drawText } from '../state/hash-random.ts'

/** Ids come with or without their prefix. */
export function bareId(id: string): string {
  return id.replace(/^\/?(hostedzone|change|healthcheck|delegationset)\//, '')
}

export function zoneArn(partition: string, id: string): string {
  return `arn:${partition}:route53:::hostedzone/${bareId(id)}`
}

export function healthCheckArn(partition: string, id: string): string {
  return `arn:${partition}:route53:::healthcheck/${bareId(id)}`
}

const idAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

export function drawnId(random: Random, length: number): string {
  return drawText(random, idAlphabet, length)
}
