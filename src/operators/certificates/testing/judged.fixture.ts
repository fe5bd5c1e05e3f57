// What is decided about a Cert, in few words: a test shows only what matters to it.
import assert from 'node:assert/strict'
import { type CloudAction, isCloudAction } from '../cert/cloud-action.ts'
import { judge, sight } from '../cert/decide/decide.ts'
import type { Verdict } from '../cert/decide/verdict.ts'
import type { CertSettings } from '../cert/settings.ts'
import { certSeen, type SeenOptions, settings } from './cert-seen.fixture.ts'

export function judged(options: SeenOptions, more: Partial<CertSettings> = {}): Verdict {
  return judge(sight(certSeen(options)) ?? assert.fail('nothing is seen'), { ...settings, ...more })
}

export function callsOf({ actions }: Pick<Verdict, 'actions'>): readonly CloudAction[] {
  return actions.filter(isCloudAction)
}

/** Its row, its state, why it is not Ready, and when it is looked at again in milliseconds, where that is not by its state. */
export function brief(verdict: Verdict): readonly unknown[] {
  const { row, state, failure, wait, next } = verdict
  return [row, state, (failure ?? wait)?.reason, typeof next === 'object' ? next.afterMs : next]
}
