// Secrets that AWS makes and that belong into a Secret: whether they are there. The Secret carries a mark of the version that it has, so that a
// crash between fetching and writing only fetches them again.

import { renderKey } from '#kube'
import { annotations } from '../api.ts'
import type { SecretKey, SecretOutput } from '../kinds/deviation.ts'
import type { Content } from '../model/request.ts'
import { dependencyOf } from '../place/client-choice.ts'
import type { OutputSecret, Situation } from '../seen/seen.ts'
import type { OutputAction, ResourcePlan } from './actions.ts'
import { statusOf } from './at-rest.ts'
import { tell } from './events.ts'
import { unusable } from './unusable.ts'

/** What is still to be done; `undefined` when the Secret has what AWS has, or nobody asks for it. */
export function planOutput(situation: Situation, latest: Content, output: SecretOutput): ResourcePlan | undefined {
  const { seen, model, place } = situation
  const version = output.version(latest)
  if (version === undefined || seen.output.kind === 'none') return undefined
  if (seen.output.kind === 'unusable') return { ...unusable(situation, seen.output.message), status: statusOf(situation, latest) }
  const { target, secret } = seen.output
  const mark = `${latest.arn ?? ''} ${version}`
  if (hasAll(output, target, secret) && secret.metadata.annotations?.[annotations.exported] === mark) return undefined
  const action: OutputAction = {
    kind: 'act:output',
    place,
    latest,
    target,
    secretUid: secret.metadata.uid,
    secretVersion: secret.metadata.resourceVersion,
    mark,
    summary: `export ${model.kind.kind} into Secret ${renderKey(target)}`,
    dependency: dependencyOf(model, place),
  }
  const next = { kind: 'look-again', afterMs: 0, why: 'see what was exported' } as const
  const exported = tell(situation.claim, 'Exported', `into Secret ${renderKey(target)}`)
  return { actions: [action, exported], conditions: [], status: statusOf(situation, latest), next }
}

function hasAll({ alsoKeys }: SecretOutput, { key }: SecretKey, { data = {} }: OutputSecret): boolean {
  return [key, ...alsoKeys].every(name => data[name] !== undefined && data[name] !== '')
}
