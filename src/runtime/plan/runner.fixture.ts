// A plan runner whose server says what a test wants it to say, and which tells each call that reaches it.
import { ManualClock, seededRandom, silentLog } from '#base'
import type { ResourceType, StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { openGate } from '../election/gate.ts'
import { Breakers } from '../queue/breaker.ts'
import { Altered } from './altered.ts'
import type { Outcome } from './outcome.ts'
import type { Action, OwnAction } from './plan.ts'
import { Recorder } from './recorder.ts'
import { type Act, runActions } from './run.ts'
import type { CachedObject, Target } from './target.ts'
import { type WriteRecord, Writer } from './writer.ts'

export const widgets: ResourceType = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true }

export type Widget = StoredObject & { readonly status?: Readonly<Record<string, unknown>> }

export function widget(
  version: number,
  more: Partial<StoredObject['metadata']> & { status?: Record<string, unknown> } = {},
): Widget {
  const { status, ...metadata } = more
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { namespace: 'a', name: 'w', uid: 'u1', generation: 1, resourceVersion: String(version), ...metadata },
    ...(status === undefined ? {} : { status }),
  }
}

export interface Scripted {
  /** What is on the server. */
  live?: StoredObject | undefined
  cached?: CachedObject
  gate?: typeof openGate
  /** What the server says after a write. */
  answer?: StoredObject
  /** Thrown by the writes to come, one each. */
  errors?: (Error | undefined)[]
  claim?: StoredObject
  /** Claims that were read since others may have worked on them. */
  seen?: Set<string>
  /** Changes nothing. */
  pretend?: boolean
  /** Takes the place of an action that only tells that it was called. */
  act?: Act<OwnAction>
  recorder?: Pick<Recorder, 'record'>
}

export interface Runner {
  /** What reached the server, or an own action, with its body. */
  readonly calls: readonly (readonly [string, unknown])[]
  readonly subresources: readonly (string | undefined)[]
  /** The uids of what was read. */
  readonly reads: readonly (string | undefined)[]
  readonly writes: readonly WriteRecord[]
  readonly breakers: Breakers
  readonly writer: Writer
  readonly target: Target
  act(...actions: Action<OwnAction>[]): Promise<readonly Outcome[]>
}

export function runner(script: Scripted): Runner {
  const calls: (readonly [string, unknown])[] = []
  const reads: (string | undefined)[] = []
  const say = async (what: string, body: unknown): Promise<StoredObject> => {
    calls.push([what, body])
    const error = script.errors?.shift()
    if (error !== undefined) throw error
    return script.answer ?? widget(100)
  }
  const subresources: (string | undefined)[] = []
  const partial: Partial<KubeClient> = {
    find: async () => {
      reads.push(script.live?.metadata.uid)
      return script.live as never
    },
    create: async (_type, object) => (await say('create', object)) as never,
    update: async (_type, object, options) => {
      subresources.push(options?.subresource)
      return (await say('update', object)) as never
    },
    patch: async (_type, _key, kind, body, options) => {
      subresources.push(options?.subresource)
      return (await say(kind, body)) as never
    },
    delete: async (_type, _key, options) => say('delete', options?.preconditions),
  }
  const clock = new ManualClock()
  const target: Target = {
    client: partial as KubeClient,
    unavailable: () => undefined,
    cached: () => script.cached ?? { kind: 'unwatched' },
    follow: () => undefined,
  }
  const writes: WriteRecord[] = []
  const breakers = new Breakers({ clock, random: seededRandom(1) })
  const writer = new Writer({
    fieldManager: 'test',
    gate: script.gate ?? openGate,
    breakers,
    callTimeoutMs: 1_000,
    signal: new AbortController().signal,
    waiter: 'a/w',
    pretend: script.pretend ?? false,
    written: new Map(),
    onWrite: write => writes.push(write),
    expect: () => {},
  })
  const recorder = new Recorder({ clock, log: silentLog, component: 'test', instance: 'test' })
  if (script.recorder !== undefined) Object.assign(recorder, script.recorder)
  const act = (...actions: Action<OwnAction>[]): Promise<readonly Outcome[]> =>
    runActions(actions, {
      writer,
      writes,
      recorder,
      altered: new Altered(),
      fieldManager: 'test',
      target: () => target,
      act:
        script.act ??
        (async ({ kind }) => {
          calls.push([kind, undefined])
          return { changed: true }
        }),
      ...(script.claim === undefined
        ? {}
        : {
            claim: {
              target,
              type: widgets,
              object: script.claim,
              ...(script.seen === undefined ? {} : { seen: script.seen }),
            },
          }),
    })
  return { calls, subresources, reads, writes, breakers, writer, target, act }
}

export const reasonOf = (outcomes: readonly Outcome[]): string | undefined =>
  outcomes.flatMap(outcome => (outcome.kind === 'failed' ? [outcome.trouble.reason] : []))[0]

export const refused = (httpStatus: number, reason: string): KubeError =>
  new KubeError('refused', reason, {
    httpStatus,
    status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code: httpStatus },
  })
