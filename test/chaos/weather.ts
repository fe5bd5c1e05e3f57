// What goes wrong: replicas are killed and stopped, roads are cut or fall silent, AWS throttles, fails, answers late, and loses answers.
import type { Random } from '#base'
import type { AwsFaultEffect } from '#emulator'
import type { Platform } from './platform.ts'

export interface Fault {
  readonly name: string
  /** Strikes; the returned function ends it. */
  strike(): () => void
}

const awsEffects: readonly AwsFaultEffect[] = [
  { kind: 'throttle' },
  { kind: 'error', code: 'InternalFailure', http: 500 },
  { kind: 'error', code: 'AccessDenied', http: 403 },
  { kind: 'timeout-before' },
  { kind: 'timeout-after' },
  { kind: 'html-502' },
  { kind: 'truncate-body' },
  { kind: 'latency', ms: 400 },
  { kind: 'partial-list' },
  { kind: 'stale-read', ageMs: 5_000 },
]

/** Everything that can go wrong now, each by a name under which it is counted. */
export function faultsOf({ replicas, roads, aws }: Platform, random: Random): readonly Fault[] {
  const effect = awsEffects[random.integer(awsEffects.length)] as AwsFaultEffect
  const share = 0.1 + random.float() * 0.5
  return [
    ...replicas.flatMap(replica => [
      {
        name: 'kill',
        strike: () => {
          replica.kill()
          return () => replica.start()
        },
      },
      {
        name: 'stop',
        strike: () => {
          replica.pause()
          return () => replica.resume()
        },
      },
    ]),
    ...Object.values(roads).flatMap(road => [
      {
        name: 'partition',
        strike: () => {
          road.silence(true)
          // What stood is silent for good: it is cut when the road is open again.
          return () => {
            road.silence(false)
            road.reset()
          }
        },
      },
      {
        name: 'refusal',
        strike: () => {
          road.refuse(true)
          road.reset()
          return () => road.refuse(false)
        },
      },
      {
        name: 'reset',
        strike: () => {
          road.reset()
          return () => {}
        },
      },
      {
        name: 'slow road',
        strike: () => {
          road.delay(300)
          return () => road.delay(0)
        },
      },
    ]),
    ...Array.from({ length: 6 }, () => ({
      name: `AWS ${effect.kind}`,
      strike: () => {
        const rule = aws.faults.add({ match: { probability: share }, effect })
        return () => rule.remove()
      },
    })),
  ]
}
