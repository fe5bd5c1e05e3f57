// The engine on a real kube-apiserver: what the embedded one was taken for in test/engine has to hold here as well.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type HttpExchange, HttpFailure, seededRandom, silentLog, systemClock, systemRandom, systemSeams } from '#base'
import { configMaps, customResourceDefinitions, type KubeObject, leases, namespaces, type StoredObject } from '#kube'
import { connect, createKubeClient, type KubeClient } from '#kube/client'
import { type AnyController, createManager, Election, Informer, type Lease, type PassRecord } from '#runtime'
import { configMapMirror } from '../../examples/configmap-mirror/mirror.ts'
import { type GreetingObject, greeting, greetingController, greetingCrd, greetings } from '../../src/runtime/testing/greeting.ts'
import type { ControlPlane } from './control-plane.ts'
import { comesAbout } from './eventually.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = await controlPlaneSkipped()

describe('the engine on the real kube-apiserver', skip === undefined ? {} : { skip }, () => {
  it('the example copies, repairs, cleans up, and is quiet at rest', async () => {
    await using world = await realWorld()
    const { client } = world
    const home = await world.namespace('home')
    const [a, b] = [await world.namespace('a'), await world.namespace('b')]
    const run = world.start(configMapMirror)
    const key = (namespace: string) => ({ namespace, name: 'theme' })
    const metadata = {
      ...key(home),
      labels: { 'mirror.example.com/source': 'true' },
      annotations: { 'mirror.example.com/to': `${a},${b}` },
    }
    await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { color: 'green' } } as KubeObject)
    const colorIn = async (namespace: string) =>
      ((await client.find(configMaps, key(namespace))) as { data?: { color?: string } })?.data?.color
    await eventually(async () => (await colorIn(a)) === 'green' && (await colorIn(b)) === 'green', 'copied')
    await eventually(
      async () =>
        ((await client.find(configMaps, key(home)))?.metadata.annotations?.['mirror.example.com/status'] ?? '').includes(
          '"True"',
        ),
      'said so',
    )
    assert.equal(run.writes().length, 4)
    await client.patch(configMaps, key(a), 'merge', { data: { color: 'red', foreign: 'kept' } })
    await client.delete(configMaps, key(b))
    await eventually(async () => (await colorIn(a)) === 'green' && (await colorIn(b)) === 'green', 'repaired')
    // P8: a field that another owns is not ours to remove.
    assert.deepEqual(((await client.get(configMaps, key(a))) as unknown as { data: object }).data, {
      color: 'green',
      foreign: 'kept',
    })
    await run.stop()
    const again = world.start(configMapMirror)
    await eventually(async () => again.passes.length > 0, 'looked again')
    assert.deepEqual(again.writes(), [], 'D4: a restart writes nothing')
    await client.delete(configMaps, key(home))
    await eventually(
      async () => (await colorIn(a)) === undefined && (await colorIn(b)) === undefined && (await colorIn(home)) === undefined,
      'gone',
    )
  })

  it('a field that is not wanted any more goes, whoever wrote first', async () => {
    await using world = await realWorld()
    const { client } = world
    const [home, a] = [await world.namespace('home'), await world.namespace('a')]
    world.start(configMapMirror)
    const key = (namespace: string) => ({ namespace, name: 'fields' })
    const metadata = {
      ...key(home),
      labels: { 'mirror.example.com/source': 'true' },
      annotations: { 'mirror.example.com/to': a },
    }
    await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { one: '1', two: '2' } } as KubeObject)
    const dataIn = async (namespace: string) =>
      ((await client.find(configMaps, key(namespace))) as { data?: object } | undefined)?.data
    await eventually(async () => Object.keys((await dataIn(a)) ?? {}).length === 2, 'copied')
    // Created by POST, so the field belongs to an `Update`: apply alone would leave it.
    await client.patch(configMaps, key(home), 'merge', { data: { two: null } })
    await eventually(async () => Object.keys((await dataIn(a)) ?? {}).join() === 'one', 'removed what the creation had set')
    await client.patch(configMaps, key(home), 'merge', { data: { three: '3' } })
    await eventually(async () => Object.keys((await dataIn(a)) ?? {}).join() === 'one,three', 'added by apply')
    await client.patch(configMaps, key(home), 'merge', { data: { three: null } })
    await eventually(async () => Object.keys((await dataIn(a)) ?? {}).join() === 'one', 'removed what apply had set')
  })

  it('a custom kind converges in three writes, under a storm of foreign writes too', async () => {
    await using world = await realWorld()
    const { client } = world
    await ensureCrd(client)
    const controller = greetingController()
    const namespace = await world.namespace('greet')
    const run = world.start(controller)
    const at = (name: string): KubeObject => ({ ...greeting(name), metadata: { namespace, name } })
    await client.create(greetings, at('calm'))
    const ready = async (name: string) =>
      ((await client.find(greetings, { namespace, name })) as GreetingObject | undefined)?.status?.conditions?.[0]?.status ===
      'True'
    await eventually(() => ready('calm'), 'calm is ready')
    assert.equal(run.writes().length, 3)
    let storming = true
    const storm = (async () => {
      for (let index = 0; storming; index++) {
        await client
          .patch(greetings, { namespace, name: 'stormy' }, 'merge', { metadata: { annotations: { storm: String(index) } } })
          .catch(() => {})
      }
    })()
    await client.create(greetings, at('stormy'))
    await eventually(() => ready('stormy'), 'stormy is ready')
    storming = false
    await storm
    for (const name of ['calm', 'stormy']) await client.delete(greetings, { namespace, name })
    await eventually(async () => (await client.list(greetings, { namespace })).items.length === 0, 'both are gone')
  })

  for (const listing of ['stream', 'pages'] as const) {
    it(`an informer (${listing}) outlives cut streams and a compaction, and finds what was deleted meanwhile`, async () => {
      await using world = await realWorld()
      const { client, controlPlane } = world
      const namespace = await world.namespace('watched')
      const make = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name } })
      for (const name of ['a', 'b', 'c']) await client.create(configMaps, make(name))
      const line = breakable(client.exchange)
      const informer = new Informer({
        client: createKubeClient({ clock: systemClock, address: controlPlane.address, exchange: line.exchange }),
        clock: systemClock,
        random: seededRandom(1),
        log: silentLog,
        type: configMaps,
        namespace,
        listing,
        limits: { backoffMsMin: 20, backoffMsMax: 200 },
      })
      const stop = new AbortController()
      const run = informer.run(stop.signal)
      const names = () =>
        [...informer.cache.store.values()]
          .map(({ metadata }) => metadata.name)
          .filter(name => !name.startsWith('kube-'))
          .sort()
      await eventually(async () => names().join() === 'a,b,c', 'listed')
      line.cut()
      await client.create(configMaps, make('d'))
      await eventually(async () => names().join() === 'a,b,c,d', 'went on after a cut')
      const lists = informer.counts.lists
      line.isDown = true
      line.cut()
      await client.delete(configMaps, { namespace, name: 'b' })
      const last = await client.create(configMaps, make('e'))
      await controlPlane.compact(last.metadata.resourceVersion)
      line.isDown = false
      await eventually(async () => names().join() === 'a,c,d,e', 'found out what happened')
      assert.ok(informer.counts.lists >= lists)
      stop.abort(new Error('done'))
      await run
    })
  }

  it('leadership is handed over on a real lease, with a microsecond time that the server takes', async () => {
    await using world = await realWorld()
    const { client } = world
    const namespace = await world.namespace('elect')
    const lease = { namespace, name: 'vouch' }
    const candidate = (identity: string) => {
      const stop = new AbortController()
      let leads = false
      const election = new Election({ client, clock: systemClock, random: systemRandom, log: silentLog, lease, identity })
      const run = election.run(stop.signal, async term => {
        leads = true
        await new Promise<void>(resolve => term.addEventListener('abort', () => resolve(), { once: true }))
        leads = false
      })
      return { leads: () => leads, stop: () => (stop.abort(new Error('stop')), run) }
    }
    const first = candidate('one')
    await eventually(async () => first.leads(), 'one leads')
    const second = candidate('two')
    const before = await client.get<Lease>(leases, lease)
    assert.match(before.spec.renewTime ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    await first.stop()
    await eventually(async () => second.leads(), 'two leads')
    assert.equal((await client.get<Lease>(leases, lease)).spec.leaseTransitions, 1)
    await second.stop()
  })
})

interface RealWorld extends AsyncDisposable {
  readonly controlPlane: ControlPlane
  readonly client: KubeClient
  namespace(prefix: string): Promise<string>
  start(controller: AnyController): { passes: PassRecord[]; writes(): PassRecord['writes']; stop(): Promise<void> }
}

async function realWorld(): Promise<RealWorld> {
  const controlPlane = await sharedControlPlane()
  const { client } = await connect(systemSeams({}, { log: silentLog }), { kubeconfig: [controlPlane.kubeconfig] })
  const running = new Set<() => Promise<void>>()
  return {
    controlPlane,
    client,
    namespace: async prefix => {
      const name = `${prefix}-${systemRandom.uuid().slice(0, 8)}`
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
      return name
    },
    start: controller => {
      const passes: PassRecord[] = []
      const abort = new AbortController()
      const seams = { clock: systemClock, random: systemRandom, log: silentLog }
      const manager = createManager({
        client,
        seams,
        controllers: [controller],
        identity: 'real-test',
        onPass: pass => passes.push(pass),
      })
      const run = manager.run(abort.signal)
      const stop = async (): Promise<void> => {
        running.delete(stop)
        abort.abort(new Error('the test stops it'))
        await run
      }
      running.add(stop)
      return { passes, writes: () => passes.flatMap(pass => pass.writes), stop }
    },
    [Symbol.asyncDispose]: async () => {
      for (const stop of running) await stop()
      await client.close()
    },
  }
}

async function ensureCrd(client: KubeClient): Promise<void> {
  await client.create(customResourceDefinitions, greetingCrd)
  await eventually(async () => {
    const crd = (await client.get(customResourceDefinitions, {
      namespace: '',
      name: greetingCrd.metadata.name ?? '',
    })) as StoredObject & {
      status?: { conditions?: { type: string; status: string }[] }
    }
    return crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false
  }, 'the kind is established')
}

/** A line that can be cut, and kept from working. */
function breakable(inner: HttpExchange): { exchange: HttpExchange; cut(): void; isDown: boolean } {
  const open = new Set<AbortController>()
  const line = {
    isDown: false,
    cut: () => {
      for (const one of open) one.abort()
    },
    exchange: (async request => {
      if (line.isDown) throw new HttpFailure('unreachable', 'the line is down')
      const response = await inner(request)
      const { body } = response
      if (body === null || body instanceof Uint8Array) return response
      const control = new AbortController()
      open.add(control)
      return { ...response, body: until(body, control, () => open.delete(control)) }
    }) as HttpExchange,
  }
  return line
}

async function* until(body: AsyncIterable<Uint8Array>, control: AbortController, end: () => void): AsyncGenerator<Uint8Array> {
  const cut = new Promise<'cut'>(resolve => control.signal.addEventListener('abort', () => resolve('cut'), { once: true }))
  const iterator = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const step = await Promise.race([iterator.next(), cut])
      if (step === 'cut') throw new HttpFailure('reset', 'the line was cut')
      if (step.done === true) return
      yield step.value
    }
  } finally {
    end()
    void iterator.return?.().catch(() => {})
  }
}

/** Waits for a state, not for a time. */

function eventually(isSo: () => Promise<boolean>, what: string): Promise<void> {
  return comesAbout(isSo, () => what, 20_000)
}
