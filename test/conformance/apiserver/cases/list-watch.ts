// Catalogue 88-117: lists, paging, selectors, watches.
import assert from 'node:assert/strict'
import {
  configMap,
  crds,
  establish,
  ok,
  pod,
  refused,
  secret,
  widget,
  widgetDefinition,
  widgets,
  widgetsReady,
} from '../fixtures.ts'
import type { Reply, Session, WatchEvent } from '../session.ts'
import type { Case } from './case.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const partial = (what: string): string => `application/json;as=${what};v=v1;g=meta.k8s.io`
const farFuture = '999999999'

export const cases: readonly Case[] = [
  {
    number: 88,
    title: 'pages come in key order, at one revision, and say what remains',
    run: async s => {
      await many(s, 5)
      const first = ok(await s.get(`${s.path('secrets')}?limit=2`))
      assert.deepEqual(names(first), ['s0', 's1'])
      assert.equal(first.body.metadata.remainingItemCount, 3)
      const second = ok(await s.get(`${s.path('secrets')}?limit=2&continue=${first.body.metadata.continue}`))
      const third = ok(await s.get(`${s.path('secrets')}?limit=2&continue=${second.body.metadata.continue}`))
      assert.deepEqual([...names(second), ...names(third)], ['s2', 's3', 's4'])
      assert.equal(third.body.metadata.resourceVersion, first.body.metadata.resourceVersion)
      assert.equal(third.body.metadata.continue, undefined)
      const selected = ok(await s.get(`${s.path('secrets')}?limit=2&labelSelector=n`))
      assert.equal(selected.body.metadata.remainingItemCount, undefined)
    },
  },
  {
    number: 89,
    title: 'what is created between pages is not in later pages',
    run: async s => {
      await many(s, 3)
      const first = ok(await s.get(`${s.path('secrets')}?limit=1`))
      ok(await s.post(s.path('secrets'), secret('s11')), 201)
      assert.deepEqual(names(ok(await s.get(`${s.path('secrets')}?limit=9&continue=${first.body.metadata.continue}`))), [
        's1',
        's2',
      ])
    },
  },
  {
    number: 90,
    title: 'after compaction a continue is Expired and offers one that goes on at the latest revision',
    noVector: 'the real server forgets in its own time',
    run: async s => {
      await many(s, 3)
      const first = ok(await s.get(`${s.path('secrets')}?limit=1`))
      const { body } = ok(await s.post(s.path('secrets'), secret('s11')), 201)
      await s.compact(body.metadata.resourceVersion)
      const at = `${s.path('secrets')}?limit=9&continue=`
      const expired = await s.until(at + first.body.metadata.continue, reply => reply.status === 410)
      refused(expired, 410, 'Expired')
      assert.deepEqual(names(ok(await s.get(at + expired.body.metadata.continue))), ['s1', 's11', 's2'])
    },
  },
  {
    number: 91,
    title: 'a malformed continue is refused',
    run: async s => {
      refused(await s.get(`${s.path('secrets')}?limit=1&continue=nonsense`), 400, 'BadRequest', /continue/)
    },
  },
  {
    number: 92,
    title: 'a continue goes with no resourceVersion',
    run: async s => {
      await many(s, 2)
      const first = ok(await s.get(`${s.path('secrets')}?limit=1`))
      const at = `${s.path('secrets')}?limit=1&continue=${first.body.metadata.continue}`
      refused(await s.get(`${at}&resourceVersion=5`), 400, 'BadRequest')
    },
  },
  {
    number: 93,
    title: 'resourceVersionMatch needs a resourceVersion, and Exact not 0',
    run: async s => {
      refused(await s.get(`${s.path('secrets')}?resourceVersionMatch=Exact`), 422, 'Invalid')
      refused(await s.get(`${s.path('secrets')}?resourceVersionMatch=Exact&resourceVersion=0`), 422, 'Invalid')
      refused(await s.get(`${s.path('secrets')}?resourceVersionMatch=Bogus&resourceVersion=1`), 422, 'Invalid')
      refused(await s.get(`${s.path('secrets')}?sendInitialEvents=true`), 422, 'Invalid')
    },
  },
  {
    number: 94,
    title: 'an exact list shows the state as of then',
    run: async s => {
      const { body } = ok(await s.post(s.path('secrets'), secret('then', { stringData: { a: '1' } })), 201)
      ok(await s.patch(s.path('secrets', 'then'), 'merge', { stringData: { a: '2' } }))
      ok(await s.post(s.path('secrets'), secret('later')), 201)
      const exact = await s.get(
        `${s.path('secrets')}?resourceVersionMatch=Exact&resourceVersion=${body.metadata.resourceVersion}`,
      )
      assert.deepEqual(names(ok(exact)), ['then'])
      assert.deepEqual(exact.body.items[0]?.data, { a: 'MQ==' })
    },
  },
  {
    number: 95,
    title: 'a list from the far future times out with a cause and Retry-After',
    run: async s => {
      const pending = s.get(`${s.path('secrets')}?resourceVersion=${farFuture}`)
      await s.target.pass(4_000)
      const reply = await pending
      refused(
        reply,
        504,
        'Timeout',
        /^Too large resource version: 999999999, current: \d+$|^Timeout: Too large resource version: 999999999, current: \d+$/,
      )
      assert.equal(reply.body.details.causes[0]?.reason, 'ResourceVersionTooLarge')
      assert.equal(reply.headers['retry-after'], '1')
    },
  },
  {
    number: 96,
    title: 'a list at 0 may ignore its limit, and then has no continue',
    run: async s => {
      await many(s, 3)
      const isThere = (reply: Reply): boolean => reply.body.items.length === 3
      const { body } = await s.until(`${s.path('secrets')}?resourceVersion=0&limit=1`, isThere)
      assert.equal(body.metadata.continue, undefined)
    },
  },
  {
    number: 97,
    title: 'label selectors with sets, absence, inequality and numbers',
    run: async s => {
      for (const [name, labels] of Object.entries({
        x: { a: 'x' },
        y: { a: 'y', b: '1' },
        none: {},
        six: { n: '6' },
        four: { n: '4' },
      })) {
        ok(await s.post(s.path('secrets'), { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels } } as never), 201)
      }
      for (const [selector, expected] of [
        ['a in (x,y),!b', ['x']],
        ['a!=x', ['four', 'none', 'six', 'y']],
        ['a notin (x)', ['four', 'none', 'six', 'y']],
        ['n>5', ['six']],
        ['n<5', ['four']],
        ['a', ['x', 'y']],
        ['b=', []],
        ['a==y,b=1', ['y']],
      ] as const) {
        assert.deepEqual(
          names(ok(await s.get(`${s.path('secrets')}?labelSelector=${encodeURIComponent(selector)}`))),
          expected,
          selector,
        )
      }
    },
  },
  {
    number: 98,
    title: 'a label selector that does not parse is refused',
    run: async s => {
      for (const selector of ['a in (', 'a in x', '=', 'a=b=c', 'a,,b', 'a in ()', '!', 'n>x', '-a=b', 'a=b c']) {
        const reply = await s.get(`${s.path('secrets')}?labelSelector=${encodeURIComponent(selector)}`)
        if (selector !== 'a in ()') refused(reply, 400, 'BadRequest')
      }
    },
  },
  {
    number: 99,
    title: 'field selectors of ConfigMap, Pod, Secret and Event',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('x')), 201)
      ok(await s.post(s.path('configmaps'), configMap('y')), 201)
      assert.deepEqual(names(ok(await s.get(`${s.path('configmaps')}?fieldSelector=metadata.name%3Dx`))), ['x'])
      ok(await s.post(s.path('pods'), pod('here', { nodeName: 'n1' })), 201)
      ok(await s.post(s.path('pods'), pod('nowhere')), 201)
      assert.deepEqual(names(ok(await s.get(`${s.path('pods')}?fieldSelector=spec.nodeName%3Dn1,status.phase%3DPending`))), [
        'here',
      ])
      ok(await s.post(s.path('secrets'), secret('plain')), 201)
      ok(await s.post(s.path('secrets'), secret('typed', { type: 'my/type' })), 201)
      assert.deepEqual(names(ok(await s.get(`${s.path('secrets')}?fieldSelector=type%3Dmy/type`))), ['typed'])
      for (const uid of ['u1', 'u2']) {
        const involvedObject = { kind: 'Pod', namespace: s.ns, name: 'here', uid, apiVersion: 'v1' }
        const event = {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: `e-${uid}` },
          involvedObject,
          reason: 'R',
          type: 'Normal',
        }
        ok(await s.post(s.path('events'), event), 201)
      }
      assert.deepEqual(names(ok(await s.get(`${s.path('events')}?fieldSelector=involvedObject.uid%3Du2,reason%3DR`))), ['e-u2'])
    },
  },
  {
    number: 100,
    title: 'a field that cannot be selected by is refused',
    run: async s => {
      refused(await s.get(`${s.path('configmaps')}?fieldSelector=data.x%3D1`), 400, 'BadRequest')
      refused(await s.get(`${s.path('pods')}?fieldSelector=spec.nope%3D1`), 400, 'BadRequest')
      await widgetsReady(s)
      refused(await s.get(`${widgets(s)}?fieldSelector=spec.color%3Dred`), 400, 'BadRequest')
      refused(await s.get(`${s.path('configmaps')}?fieldSelector=metadata.name`), 400, 'BadRequest')
    },
  },
  {
    number: 101,
    title: 'selectable fields of a definition filter lists and watches',
    run: async s => {
      await establish(s, widgetDefinition(s, { selectableFields: [{ jsonPath: '.spec.color' }] }))
      const { body } = ok(await s.post(widgets(s), widget(s, 'red', { color: 'red' })), 201)
      ok(await s.post(widgets(s), widget(s, 'blue', { color: 'blue' })), 201)
      assert.deepEqual(names(ok(await s.get(`${widgets(s)}?fieldSelector=spec.color%3Dred`))), ['red'])
      refused(await s.get(`${widgets(s)}?fieldSelector=spec.size%3D1`), 400, 'BadRequest', /field label not supported: spec.size/)
      const watch = await s.watch(
        `${widgets(s)}?fieldSelector=spec.color%3Dblue&resourceVersion=${body.metadata.resourceVersion}`,
      )
      assert.deepEqual(shapes([await watch.one()]), ['ADDED blue'])
      ok(await s.patch(widgets(s, 'red'), 'merge', { spec: { color: 'blue' } }))
      ok(await s.patch(widgets(s, 'blue'), 'merge', { spec: { color: 'red' } }))
      assert.deepEqual(shapes(await watch.next(2)), ['ADDED red', 'DELETED blue'])
    },
  },
  {
    number: 102,
    title: 'a watch from a list sees everything after it, in order',
    run: async s => {
      const list = ok(await s.get(s.path('configmaps')))
      const watch = await s.watch(`${s.path('configmaps')}?resourceVersion=${list.body.metadata.resourceVersion}`)
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      ok(await s.put(s.path('configmaps', 'a'), configMap('a', { b: '2' })))
      ok(await s.delete(s.path('configmaps', 'a')))
      const events = await watch.next(3)
      assert.deepEqual(shapes(events), ['ADDED a', 'MODIFIED a', 'DELETED a'])
      const revisions = events.map(event => BigInt(event.object.metadata.resourceVersion))
      assert.ok(
        revisions.every((revision, index) => index === 0 || revision > (revisions[index - 1] ?? 0n)),
        revisions.join(),
      )
    },
  },
  {
    number: 103,
    title: 'an object that leaves the selector is DELETED with its old content, and ADDED when it comes back',
    run: async s => {
      const { body } = ok(await s.post(s.path('configmaps'), configMap('a', { v: '1' }, { labels: { on: 'yes' } })), 201)
      const watch = await s.watch(
        `${s.path('configmaps')}?labelSelector=on%3Dyes&resourceVersion=${body.metadata.resourceVersion}`,
      )
      ok(await s.patch(s.path('configmaps', 'a'), 'merge', { data: { v: '2' }, metadata: { labels: { on: 'no' } } }))
      ok(await s.patch(s.path('configmaps', 'a'), 'merge', { data: { v: '3' } }))
      ok(await s.patch(s.path('configmaps', 'a'), 'merge', { metadata: { labels: { on: 'yes' } } }))
      const [left, back] = await watch.next(2)
      assert.deepEqual([left?.type, left?.object.data], ['DELETED', { v: '1' }])
      assert.deepEqual([back?.type, back?.object.data], ['ADDED', { v: '3' }])
    },
  },
  {
    number: 104,
    title: 'a watch without resourceVersion, or at 0, begins with what is there',
    run: async s => {
      for (const name of ['b', 'a']) ok(await s.post(s.path('configmaps'), configMap(name, {}, { labels: { mine: '' } })), 201)
      for (const at of ['', '&resourceVersion=0']) {
        const watch = await s.watch(`${s.path('configmaps')}?labelSelector=mine${at}`)
        assert.deepEqual(shapes(await watch.next(2)), ['ADDED a', 'ADDED b'])
      }
    },
  },
  {
    number: 105,
    title: 'sendInitialEvents needs resourceVersionMatch=NotOlderThan, and the reverse',
    run: async s => {
      refused(await s.get(`${s.path('configmaps')}?watch=true&sendInitialEvents=true`), 422, 'Invalid')
      refused(await s.get(`${s.path('configmaps')}?watch=true&resourceVersionMatch=NotOlderThan`), 422, 'Invalid')
      refused(await s.get(`${s.path('configmaps')}?watch=true&sendInitialEvents=true&resourceVersionMatch=Exact`), 422, 'Invalid')
    },
  },
  {
    number: 106,
    title: 'WatchList sends what is there, a marked bookmark, then what happens',
    run: async s => {
      for (const name of ['b', 'a']) ok(await s.post(s.path('configmaps'), configMap(name, {}, { labels: { mine: '' } })), 201)
      const watch = await s.watch(
        `${s.path('configmaps')}?labelSelector=mine&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      )
      assert.deepEqual(shapes(await watch.next(2)), ['ADDED a', 'ADDED b'])
      const mark = await watch.one()
      assert.equal(mark.type, 'BOOKMARK')
      assert.equal(mark.object.metadata.annotations['k8s.io/initial-events-end'], 'true')
      const blueprint = mark.object.metadata.annotations['kubernetes.io/initial-events-list-blueprint']
      if (blueprint !== undefined) assert.equal(JSON.parse(Buffer.from(blueprint, 'base64').toString()).kind, 'ConfigMapList')
      ok(await s.delete(s.path('configmaps', 'a')))
      assert.deepEqual(shapes([await watch.one()]), ['DELETED a'])
    },
  },
  {
    number: 107,
    title: 'WatchList as a table sends tables, and the marked bookmark',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a', {}, { labels: { mine: '' } })), 201)
      const watch = await s.watch(
        `${s.path('configmaps')}?labelSelector=mine&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
        { headers: { accept: table } },
      )
      const [first, mark] = await watch.next(2)
      assert.deepEqual([first?.type, first?.object.kind, mark?.type], ['ADDED', 'Table', 'BOOKMARK'])
    },
  },
  {
    number: 108,
    title: 'WatchList at a future revision ends with the refusal as an event',
    run: async s => {
      const pending = s.watch(
        `${s.path('configmaps')}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=${farFuture}`,
      )
      await s.target.pass(4_000)
      const watch = await pending
      const [event] = await watch.rest()
      assert.deepEqual([event?.type, event?.object.code, event?.object.reason], ['ERROR', 504, 'Timeout'])
    },
  },
  {
    number: 109,
    title: 'a watch from before the history is told so in an event, and ends',
    run: async s => {
      const watch = await s.watch(`${s.path('configmaps')}?resourceVersion=1`)
      const events = await watch.rest()
      assert.equal(events.length, 1)
      const status = events[0]?.object
      assert.deepEqual([events[0]?.type, status?.code, status?.reason], ['ERROR', 410, 'Expired'])
      assert.match(status?.message ?? '', /^too old resource version: 1 \(\d+\)$/)
    },
  },
  {
    number: 110,
    title: 'timeoutSeconds ends a watch cleanly, with a bookmark before',
    noVector: 'time',
    run: async s => {
      const watch = await s.watch(`${s.path('configmaps')}?timeoutSeconds=2&allowWatchBookmarks=true&labelSelector=nobody`)
      const rest = watch.rest()
      await s.target.pass(2_500)
      for (const event of await rest) assert.equal(event.type, 'BOOKMARK')
    },
  },
  {
    number: 111,
    title: 'a bookmark’s revision is a place to resume from',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a', {}, { labels: { mine: '' } })), 201)
      const at = `${s.path('configmaps')}?labelSelector=mine`
      const first = await s.watch(`${at}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`)
      const [, mark] = await first.next(2)
      await first.close()
      ok(await s.post(s.path('configmaps'), configMap('b', {}, { labels: { mine: '' } })), 201)
      const second = await s.watch(`${at}&resourceVersion=${mark?.object.metadata.resourceVersion}`)
      assert.deepEqual(shapes([await second.one()]), ['ADDED b'])
    },
  },
  {
    number: 112,
    title: 'two watchers of a hundred writes see the same',
    noVector: 'its size',
    run: async s => {
      const list = ok(await s.get(s.path('configmaps')))
      const at = `${s.path('configmaps')}?resourceVersion=${list.body.metadata.resourceVersion}`
      const [one, two] = [await s.watch(at), await s.watch(at)]
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      for (let index = 0; index < 99; index++) ok(await s.patch(s.path('configmaps', 'a'), 'merge', { data: { n: `${index}` } }))
      assert.deepEqual(await one.next(100), await two.next(100))
    },
  },
  {
    number: 113,
    title: 'watches of a namespace, of all namespaces and of one name see their own',
    run: async s => {
      await widgetsReady(s)
      const { body } = ok(await s.post(widgets(s), widget(s, 'w', {}, {}, { labels: { mine: s.ns } })), 201)
      const at = `resourceVersion=${body.metadata.resourceVersion}`
      const inNamespace = await s.watch(`${widgets(s)}?${at}`)
      const everywhere = await s.watch(`/apis/${s.widgetGroup}/v1/widgets?labelSelector=mine%3D${s.ns}&${at}`)
      const one = await s.watch(`${widgets(s)}?fieldSelector=metadata.name%3Dw&${at}`)
      const byPath = await s.watch(`/apis/${s.widgetGroup}/v1/watch/namespaces/${s.ns}/widgets/w?${at}`)
      ok(await s.post(widgets(s), widget(s, 'other', {}, {}, { labels: { mine: s.ns } })), 201)
      ok(await s.patch(widgets(s, 'w'), 'merge', { spec: { size: 3 } }))
      assert.deepEqual(shapes(await inNamespace.next(2)), ['ADDED other', 'MODIFIED w'])
      assert.deepEqual(shapes(await everywhere.next(2)), ['ADDED other', 'MODIFIED w'])
      assert.deepEqual(shapes([await one.one()]), ['MODIFIED w'])
      assert.deepEqual(shapes([await byPath.one()]), ['MODIFIED w'])
    },
  },
  {
    number: 114,
    title: 'a watch as tables defines the columns once',
    run: async s => {
      const { body } = ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      const watch = await s.watch(`${s.path('configmaps')}?resourceVersion=${body.metadata.resourceVersion}`, {
        headers: { accept: table },
      })
      ok(await s.post(s.path('configmaps'), configMap('b')), 201)
      ok(await s.delete(s.path('configmaps', 'b')))
      const [first, second] = await watch.next(2)
      assert.equal(first?.object.columnDefinitions.length, 3)
      assert.ok(!second?.object.columnDefinitions?.length)
      assert.equal(second?.object.rows[0]?.cells[0], 'b')
    },
  },
  {
    number: 115,
    title: 'lists, gets and watches of metadata alone have no spec',
    run: async s => {
      await widgetsReady(s)
      const { body } = ok(await s.post(widgets(s), widget(s, 'w')), 201)
      const list = ok(await s.get(widgets(s), { headers: { accept: partial('PartialObjectMetadataList') } })).body
      assert.deepEqual([list.kind, list.apiVersion], ['PartialObjectMetadataList', 'meta.k8s.io/v1'])
      assert.deepEqual([list.items[0]?.kind, list.items[0]?.spec], ['PartialObjectMetadata', undefined])
      assert.equal(
        ok(await s.get(widgets(s, 'w'), { headers: { accept: partial('PartialObjectMetadata') } })).body.spec,
        undefined,
      )
      const at = `${widgets(s)}?resourceVersion=${body.metadata.resourceVersion}`
      const watch = await s.watch(at, { headers: { accept: partial('PartialObjectMetadata') } })
      ok(await s.post(widgets(s), widget(s, 'later')), 201)
      const { object } = await watch.one()
      assert.deepEqual([object.kind, object.apiVersion, object.spec], ['PartialObjectMetadata', 'meta.k8s.io/v1', undefined])
    },
  },
  {
    number: 116,
    title: 'a changed schema ends the watches of the resource; a list then shows its effects',
    run: async s => {
      await establish(s, widgetDefinition(s))
      ok(await s.post(widgets(s), widget(s, 'w')), 201)
      const watch = await s.watch(`${widgets(s)}?resourceVersion=0`)
      assert.deepEqual(shapes([await watch.one()]), ['ADDED w'])
      const at = `${crds}/widgets.${s.group}`
      const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/greeting'
      ok(await s.patch(at, 'json', [{ op: 'add', path, value: { type: 'string', default: 'hello' } }]))
      await watch.rest()
      const { body } = await s.until(widgets(s, 'w'), reply => reply.body.spec?.greeting !== undefined)
      assert.equal(body.spec.greeting, 'hello')
    },
  },
  {
    number: 117,
    title: 'a watch that the server ended is taken up again where the client began, and tells all that happened since',
    noVector: 'it takes a second',
    run: async s => {
      const { body } = ok(await s.get(s.path('configmaps')))
      const from = `${s.path('configmaps')}?resourceVersion=${body.metadata.resourceVersion}`
      const first = await s.watch(`${from}&timeoutSeconds=1`)
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      assert.deepEqual(
        (await first.rest()).map(event => event.object.metadata.name),
        ['a'],
      )
      ok(await s.post(s.path('configmaps'), configMap('b')), 201)
      // kubectl asks with the same version again, not with the last that it saw.
      const again = await s.watch(from)
      assert.deepEqual(
        (await again.next(2)).map(event => event.object.metadata.name),
        ['a', 'b'],
      )
    },
  },
]

async function many(s: Session, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    ok(
      await s.post(s.path('secrets'), {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: `s${index}`, labels: { n: `${index}` } },
      }),
      201,
    )
  }
}

function names(reply: Reply): string[] {
  return reply.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)
}

function shapes(events: readonly WatchEvent[]): string[] {
  return events.map(({ type, object }) => `${type} ${object.metadata.name}`)
}
