import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import type { KubeClient, WatchEvent } from '#kube/client'
import { followConditions, followed, type WithConditions } from './follow.ts'
import type { Screen } from './screen.ts'

const widgets = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true }
type Event = WatchEvent<WithConditions>

const widget = (name: string, ready?: boolean): WithConditions => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { namespace: 'a', name, uid: `uid-${name}`, resourceVersion: '1', generation: 1 } as StoredObject['metadata'],
  ...(ready === undefined
    ? {}
    : {
        status: {
          conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', reason: 'Said', message: '', lastTransitionTime: '' }],
        },
      }),
})
const added = (object: WithConditions): Event => ({ type: 'ADDED', object }) as Event
const deleted = (object: WithConditions): Event => ({ type: 'DELETED', object }) as Event
const bookmark: Event = { type: 'BOOKMARK', resourceVersion: '1', initialEventsEnd: true }

/** A server whose watches bring these events one after the other; when there are no more, the story is over. */
function serverOf(watches: readonly (readonly Event[] | Error)[]): { readonly kube: KubeClient; readonly signal: AbortSignal } {
  const stop = new AbortController()
  const left = [...watches]
  async function* watch(): AsyncGenerator<Event> {
    await Promise.resolve()
    const next = left.shift()
    if (left.length === 0) stop.abort(new Error('over'))
    if (next instanceof Error) throw next
    yield* next ?? []
  }
  return { kube: { watch } as unknown as KubeClient, signal: stop.signal }
}

function screenOf(lines: string[]): Screen {
  return {
    columns: 80,
    chapter: () => {},
    block: () => {},
    during: (_what, work) => work,
    line: (outcome, text) => void lines.push(`${outcome} ${text}`),
  }
}

test('a watch that the server ends is taken up again, and what went meanwhile is gone', async () => {
  const seen: string[] = []
  const see = ({ metadata }: WithConditions, isThere: boolean): void => void seen.push(`${isThere ? '+' : '-'}${metadata.name}`)
  const [a, b, c] = [widget('a'), widget('b'), widget('c')]
  const { kube, signal } = serverOf([[added(a), added(b), bookmark, deleted(b), added(c)], [added(c), bookmark], []])
  await followed({ kube, type: widgets, screen: screenOf([]), signal }, see)
  assert.deepEqual(seen, ['+a', '+b', '-b', '+c', '+c', '-a'])
})

test('a watch that breaks is told once, and the story goes on', async () => {
  const lines: string[] = []
  const { kube, signal } = serverOf([
    [added(widget('a', true)), bookmark],
    new Error('cut'),
    [added(widget('a', true)), bookmark, added(widget('a', false))],
    [],
  ])
  await followConditions({ kube, types: [widgets], screen: screenOf(lines), signal })
  assert.deepEqual(lines, [
    'proven Widget a is Ready',
    'failed watching widgets ended, and is tried again: Error: cut',
    'lost Widget a is not Ready any more: Said: ',
  ])
})
