// What CloudTrail calls the sessions of a sidecar: for people the ServiceAccount, for machines a digest that tells clusters apart.
import { createHash } from 'node:crypto'
import type { ObjectKey } from '#kube'

/** What STS allows is 64 characters; prefix, dash and digest take 18 of them. */
const baseMax = 46
const digestLength = 12

export function sidecarSessionName(server: string, { namespace, name }: ObjectKey): string {
  const digest = createHash('sha256').update(`${server}\0${namespace}\0${name}`).digest('hex').slice(0, digestLength)
  return `awio-${baseOf(`${namespace}-${name}`)}-${digest}`
}

function baseOf(text: string): string {
  const allowed = trimDashes(text.replaceAll(/[^A-Za-z0-9_+=,.@-]+/g, '-'))
  return trimDashes((allowed === '' ? 'serviceaccount' : allowed).slice(0, baseMax)) || 'sa'
}

function trimDashes(text: string): string {
  return text.replaceAll(/^-+|-+$/g, '')
}
