// The whole operator and a cluster behind a network that drops: connections stand, new ones are taken, and nothing is answered. The clock of
// everybody stands still but for what the test lets pass, between which the sockets have their turn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemNet } from '#base'
import { createKubeClient } from '#kube/client'
import { type RoomWorld, region, roomWorld } from '../../src/operators/identity/testing/room-world.ts'
import { startTcpProxy, type TcpProxy } from '../faults/tcp-proxy.ts'

async function readyOf(world: RoomWorld): Promise<string> {
  const config = await world.config('wlc-a')
  const ready = config?.status?.conditions?.find(({ type }) => type === 'Ready')
  return `${ready?.status ?? ''}/${ready?.reason ?? ''}`
}

// A connection without an echo is given up after 45 seconds by the network's own clock, which here is the test's: so a cluster is told of within two
// minutes. Without that, and over HTTP/1.1, a stream is missed after two minutes and a half of silence.
for (const [what, breaks, toldAfterMax] of [
  ['whose connections stand', (proxy: TcpProxy) => proxy.silence(true), 215],
  [
    'whose connections were given up',
    (proxy: TcpProxy) => {
      proxy.silence(true)
      proxy.reset()
    },
    75,
  ],
] as const)
  test(`a cluster that takes connections and answers none, ${what}, is told of once, and is followed when it is back [B28]`, () =>
    goesAndComes(breaks, toldAfterMax))

async function goesAndComes(breaks: (proxy: TcpProxy) => void, toldAfterMax: number): Promise<void> {
  await using world = roomWorld()
  const { server } = await world.addCluster('wlc-a')
  const { port } = await server.listen()
  const proxy = await startTcpProxy(port)
  const tls = { ca: server.ca }
  const direct = systemNet.dial({ origin: `https://127.0.0.1:${port}`, tls })
  const through = systemNet.dial({ origin: `https://127.0.0.1:${proxy.port}`, tls })
  const headers = { authorization: `Bearer ${server.adminToken}` }
  const client = createKubeClient({
    clock: world.clock,
    address: 'wlc-a',
    exchange: request => through.exchange({ ...request, headers: { ...request.headers, ...headers } }),
  })
  /** What is asked over the sockets is answered before the next second begins. */
  const live = async (seconds: number, until: () => Promise<boolean> = () => Promise.resolve(false)): Promise<number> => {
    for (let second = 0; second < seconds; second++) {
      if (await until()) return second
      await world.advance(1_000)
      for (let trip = 0; trip < 5; trip++) await direct.exchange({ method: 'GET', target: '/version', headers, body: null })
    }
    return seconds
  }
  const says = (what: string) => async (): Promise<boolean> => (await readyOf(world)) === what
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  const run = world.start({ clientOf: () => client })
  try {
    await live(60, says('True/Reconciled'))
    assert.equal(await readyOf(world), 'True/Reconciled')
    await live(30)
    breaks(proxy)
    const told = await live(300, says('False/RemoteClusterUnavailable'))
    assert.equal(await readyOf(world), 'False/RemoteClusterUnavailable')
    assert.ok(told <= toldAfterMax, `told after ${told} s`)
    const { resourceVersion } = (await world.config('wlc-a'))?.metadata ?? {}
    await live(600)
    assert.equal((await world.config('wlc-a'))?.metadata.resourceVersion, resourceVersion, 'it is told once')
    proxy.silence(false)
    // What stands since the silence is given up, too.
    proxy.reset()
    await live(300, says('True/Reconciled'))
    assert.equal(await readyOf(world), 'True/Reconciled')
  } finally {
    await run.stop()
    await through.close()
    await direct.close()
    await proxy.close()
    await server.close()
  }
}
