// The guests of this process: connected once, connected anew by another way in, and let go of whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpClient, ManualClock, memoryFiles, type Net } from '#base'
import { secrets } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import type { ClaimKey, Manager } from '#runtime'
import type { PlatformSecret } from '../build/authority.ts'
import { settings } from '../testing/hosted-world.ts'
import { owner } from '../testing/secrets.fixture.ts'
import { type GuestAccess, readGuestAccess } from './access.ts'
import { guestController } from './controller.ts'
import { Guests, type GuestsOptions, guestNameOf } from './guests.ts'
import type { GuestAction } from './seen.ts'

type Access = Extract<GuestAccess, { kind: 'access' }>

const key: ClaimKey = { cluster: '', namespace: 'clusters-blue', name: 'blue' }
const cluster = guestNameOf(key)

function accessWith(token: string): Access {
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://kube-apiserver:6443' } }],
    users: [{ name: 'u', user: { token } }],
  })
  const data = { kubeconfig: Buffer.from(kubeconfig).toString('base64') }
  const secret: PlatformSecret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'way-in' }, data }
  const access = readGuestAccess(secret, key.namespace)
  assert.ok(access.kind === 'access')
  return access
}

const found = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'a', name: 'b', uid: 'u', resourceVersion: '1' } }

interface Opened {
  readonly guests: Guests
  readonly clients: Map<string, KubeClient>
  /** Claims of the guests' controller, and of another one. */
  readonly woken: { readonly ours: ClaimKey[]; readonly others: ClaimKey[] }
  readonly back: (cluster: string) => void
  /** Ends the closing of all connections that are being closed, and says how many there were. */
  readonly letClose: () => number
}

function open(clientOf?: GuestsOptions['clientOf']): Opened {
  const closing: (() => void)[] = []
  const connection: HttpClient = {
    exchange: async () => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(found)) }),
    close: () => new Promise(resolve => closing.push(resolve)),
  }
  const refuse = (): Promise<never> => Promise.reject(new Error('not here'))
  const net = { dial: () => connection, listen: refuse } as unknown as Net
  const seams = { clock: new ManualClock(), files: memoryFiles(), env: {}, net, programs: { run: refuse } }
  const guests = new Guests({ seams, ...(clientOf === undefined ? {} : { clientOf }) })
  const clients = new Map<string, KubeClient>()
  const listeners: ((cluster: string) => void)[] = []
  const woken = { ours: [] as ClaimKey[], others: [] as ClaimKey[] }
  const manager = {
    targets: {
      onBack: (listener: (cluster: string) => void) => listeners.push(listener),
      join: (name: string, client: KubeClient) => clients.set(name, client),
      leave: (name: string) => clients.delete(name),
    },
    controllers: [
      { definition: { name: 'another' }, add: (claim: ClaimKey) => woken.others.push(claim) },
      { definition: { name: 'hosted-guest' }, add: (claim: ClaimKey) => woken.ours.push(claim) },
    ],
  }
  guests.attach(manager as unknown as Manager, 'hosted-guest')
  return {
    guests,
    clients,
    woken,
    back: name => {
      for (const listener of listeners) listener(name)
    },
    letClose: () => {
      const ended = closing.splice(0)
      for (const end of ended) end()
      return ended.length
    },
  }
}

/** A connection is dialled by the first call. */
async function call({ clients }: Opened): Promise<void> {
  await clients.get(cluster)?.find(secrets, { namespace: 'a', name: 'b' })
}

/** Whether it waits for connections that are being closed: then they are let go, and it ends. */
async function waitsForClosing(opened: Opened, work: Promise<unknown>): Promise<boolean> {
  let isDone = false
  const watched = work.then(() => {
    isDone = true
  })
  await new Promise(resolve => setImmediate(resolve))
  const isWaiting = !isDone
  opened.letClose()
  await watched
  return isWaiting
}

async function connected(clientOf?: GuestsOptions['clientOf']): Promise<Opened> {
  const opened = open(clientOf)
  await opened.guests.connect(key, owner, accessWith('one'))
  await call(opened)
  return opened
}

test('a guest is known by its control plane as soon as it is connected, by exactly that way in', async () => {
  const opened = open()
  const { guests, clients } = opened
  assert.deepEqual(guests.stateOf(cluster), { kind: 'starting', message: `the guest ${cluster} is being connected` })
  assert.equal(guests.keyOf(cluster), undefined)
  await guests.connect(key, owner, accessWith('one'))
  assert.deepEqual([...clients.keys()], ['clusters-blue.blue'])
  assert.deepEqual(guests.stateOf(cluster), { kind: 'engaged', clusterUid: cluster })
  assert.deepEqual(guests.keyOf(cluster), key)
  assert.equal(guests.isConnected(cluster, accessWith('one').fingerprint), true)
  assert.equal(guests.isConnected(cluster, accessWith('another').fingerprint), false)
  assert.equal(guests.isConnected('another', accessWith('one').fingerprint), false)
})

test('another way in takes the place of the first, whose connection is closed before that is done', async () => {
  const opened = await connected()
  const { guests, clients } = opened
  const first = clients.get(cluster)
  assert.equal(await waitsForClosing(opened, guests.connect(key, owner, accessWith('another'))), true)
  assert.notEqual(clients.get(cluster), first)
  assert.equal(guests.isConnected(cluster, accessWith('another').fingerprint), true)
})

test('a guest that is left is forgotten, and its connection is closed before that is done', async () => {
  const opened = await connected()
  const { guests, clients, woken, back } = opened
  assert.equal(await waitsForClosing(opened, guests.leave(cluster)), true)
  assert.deepEqual([guests.keyOf(cluster), clients.size], [undefined, 0])
  back(cluster)
  assert.deepEqual(woken.ours, [])
  await guests.leave(cluster)
})

test('whoever stops closes the connection of each guest before that is done', async () => {
  const opened = await connected()
  assert.equal(await waitsForClosing(opened, opened.guests.close()), true)
  assert.equal(opened.guests.keyOf(cluster), undefined)
})

test('a client that was handed over is left open', async () => {
  const client = createKubeClient({
    clock: new ManualClock(),
    address: 'guest',
    exchange: () => Promise.reject(new Error('away')),
  })
  let closed = 0
  const handed: KubeClient = { ...client, close: async () => void closed++ }
  const { guests, clients } = open(() => handed)
  await guests.connect(key, owner, accessWith('one'))
  assert.equal(clients.get(cluster), handed)
  await guests.leave(cluster)
  await guests.connect(key, owner, accessWith('one'))
  await guests.close()
  assert.equal(closed, 0)
})

test('a guest that is back wakes its control plane once, and again only when somebody waits for it', async () => {
  const { guests, woken, back } = await connected()
  back('another')
  back(cluster)
  back(cluster)
  assert.deepEqual(woken.ours, [key])
  guests.awaitBack(cluster)
  guests.awaitBack('another')
  back('another')
  back(cluster)
  assert.deepEqual(woken, { ours: [key, key], others: [] })
})

test('an action of the half in the guest is done when the connections that it ends are closed', async () => {
  const opened = await connected()
  const { act } = guestController({ settings, guests: opened.guests, clock: new ManualClock() }).reconciler
  const carryOut = (action: GuestAction): Promise<unknown> => Promise.resolve(act?.(action, {} as never))
  const access = accessWith('another')
  assert.equal(
    await waitsForClosing(opened, carryOut({ kind: 'act:connect', key, plane: owner, access, summary: 'connect' })),
    true,
  )
  await call(opened)
  assert.equal(await waitsForClosing(opened, carryOut({ kind: 'act:leave', cluster, summary: 'leave' })), true)
  assert.equal(opened.guests.keyOf(cluster), undefined)
  assert.deepEqual(await carryOut({ kind: 'act:note', uid: 'u', wanted: 1, summary: 'remember' }), { changed: false })
})
