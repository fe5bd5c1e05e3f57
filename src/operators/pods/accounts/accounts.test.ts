// What direct reads brought, beside a watch that has brought nothing yet, and what the watch brings.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLogTo, drain, ManualClock, seededRandom, silentLog } from '#base'
import type { StoredObject } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { Accounts, type AccountsOptions } from './accounts.ts'

const account = (name: string, resourceVersion = '1'): StoredObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { namespace: 'ns', name, uid: name, resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' },
})

function accountsOf(given?: KubeClient) {
  const clock = new ManualClock()
  const exchange = () => Promise.reject(new Error('nothing is asked'))
  const client = given ?? createKubeClient({ clock, address: 'test', exchange })
  const options = { client, clock, random: seededRandom(1), log: silentLog, annotationPrefixes: [], identityAnnotations: [] }
  const accounts = new Accounts(options)
  const found = (name: string): string | undefined => accounts.find({ namespace: 'ns', name })?.metadata.resourceVersion
  return { clock, accounts, found }
}

test('what a read brought is known for a minute', async () => {
  const { clock, accounts, found } = accountsOf()
  accounts.learn(account('a'))
  await clock.advance(59_999)
  assert.equal(found('a'), '1')
  await clock.advance(1)
  assert.equal(found('a'), undefined)
})

test('a later read takes the place of an earlier one', () => {
  const { accounts, found } = accountsOf()
  accounts.learn(account('a'))
  accounts.learn(account('a', '2'))
  assert.equal(found('a'), '2')
})

test('a thousand are known, and each further one takes the place of the oldest', () => {
  const { accounts, found } = accountsOf()
  for (let index = 0; index < 1_000; index++) accounts.learn(account(`a${index}`))
  assert.equal(found('a0'), '1')
  accounts.learn(account('b'))
  assert.deepEqual([found('a0'), found('a1'), found('a999'), found('b')], [undefined, '1', '1', '1'])
})

/** Beside a cluster whose versions begin with 101, running until the test ends. */
async function following(t: TestContext, more: Partial<AccountsOptions> = {}, known: Readonly<Record<string, object>> = {}) {
  const cluster = fakeCluster()
  const put = (name: string, annotations?: object): void =>
    void cluster.put('ServiceAccount', `ns/${name}`, annotations === undefined ? {} : { metadata: { annotations } })
  for (const [name, annotations] of Object.entries(known)) put(name, annotations)
  const clock = new ManualClock()
  const lines: [string, unknown][] = []
  const changed: string[] = []
  const accounts = new Accounts({
    client: cluster.client,
    clock,
    random: seededRandom(1),
    log: createLogTo({ clock }, (_level, message, fields) => {
      if (message.startsWith('ServiceAccount ')) lines.push([message, fields])
    }),
    annotationPrefixes: ['p', 'q'],
    identityAnnotations: ['p/role', 'q/client'],
    onChange: id => changed.push(id),
    ...more,
  })
  const stop = new AbortController()
  const running = [accounts.run(stop.signal), accounts.run(stop.signal)]
  t.after(async () => {
    stop.abort(new Error('the test ends'))
    await drain()
    await Promise.all(running)
    assert.equal(clock.pendingCount(), 0, 'a timer outlives the cache')
  })
  await drain()
  const found = (name: string): string | undefined => accounts.find({ namespace: 'ns', name })?.metadata.resourceVersion
  const news = (name: string): string[] => {
    const heard: string[] = []
    accounts.onNews({ namespace: 'ns', name }, () => heard.push(name))
    return heard
  }
  return { accounts, cluster, put, found, news, lines, changed, running }
}

test('what the first list brings is no change, and what is made, changed or removed after it is', async t => {
  const { accounts, cluster, put, changed } = await following(t, {}, { a: {} })
  assert.deepEqual([accounts.synced, accounts.size, changed, cluster.lists], [true, 1, [], 1])
  put('b')
  put('a', { 'p/role': 'r' })
  cluster.remove('ServiceAccount', 'ns/b')
  await drain()
  assert.deepEqual(changed, ['ns/b', 'ns/a', 'ns/b'])
  assert.deepEqual(
    [...accounts.all()].map(({ metadata }) => metadata.name),
    ['a'],
  )
})

for (const [verbosity, lines] of [
  [undefined, 0],
  [4, 0],
  [5, 1],
] as const)
  test(`at verbosity ${verbosity ?? 'unset'} ${lines} of what the first list brings are told [§2.18]`, async t => {
    const more = verbosity === undefined ? {} : { verbosity }
    const { lines: told } = await following(t, more, { a: { 'p/role': 'r' }, b: {} })
    assert.equal(told.length, lines)
  })

const role = { 'p/role': 'r' }

for (const [what, before, after, said] of [
  ['one that is made with a role', undefined, role, ['added', 'r']],
  ['one that is made without', undefined, { 'p/other': 'x' }, undefined],
  ['a role that is given', {}, role, ['changed', 'r']],
  ['a role that is another one now', role, { 'p/role': 's' }, ['changed', 's']],
  ['a role that is taken away', role, {}, ['changed', '']],
  ['an identity of the second kind', undefined, { 'q/client': 'c' }, ['added', 'c']],
  ['two identities by the first', undefined, { ...role, 'q/client': 'c' }, ['added', 'r']],
  ['an annotation more beside the role', role, { ...role, 'p/a': '1' }, ['changed', 'r']],
  ['an annotation less beside the role', { ...role, 'p/a': '1' }, role, ['changed', 'r']],
  ['another annotation beside the role', { ...role, 'p/a': '1' }, { ...role, 'p/b': '1' }, ['changed', 'r']],
  ['another value beside the role', { ...role, 'p/a': '1' }, { ...role, 'p/a': '2' }, ['changed', 'r']],
  ['what nobody reads beside the role', role, { ...role, 'z/a': '1' }, undefined],
  ['annotations of one without a role', { 'p/a': '1' }, { 'p/a': '2' }, undefined],
  ['a role that goes with its ServiceAccount', role, 'removed', ['removed', 'r']],
  ['one without a role that goes', {}, 'removed', undefined],
  ['256 letters of a role', undefined, { 'p/role': `x${'r'.repeat(300)}` }, ['added', `x${'r'.repeat(255)}`]],
] as const)
  test(`${said === undefined ? 'nothing is' : 'a line is'} told of ${what} [§2.18]`, async t => {
    const { cluster, put, lines } = await following(t, {}, before === undefined ? {} : { a: before })
    if (after === 'removed') cluster.remove('ServiceAccount', 'ns/a')
    else put('a', after)
    await drain()
    const told = said && [[`ServiceAccount ${said[0]}`, { namespace: 'ns', serviceAccount: 'a', role: said[1] }]]
    assert.deepEqual(lines, told ?? [])
  })

test('the newer of what was read and what the watch brought is what is known [2.10.2]', async t => {
  const { accounts, put, found } = await following(t, {}, { a: {} })
  accounts.learn(account('a', '105'))
  assert.equal(found('a'), '105')
  put('a')
  await drain()
  assert.equal(found('a'), '105', 'the watch has brought 102')
  for (let version = 103; version <= 106; version++) put('a')
  await drain()
  assert.equal(found('a'), '106')
})

test('what is removed is not known any more, though a read had brought it', async t => {
  const { accounts, cluster, found } = await following(t, {}, { a: {}, b: {} })
  for (const name of ['a', 'b']) accounts.learn(account(name, '200'))
  cluster.remove('ServiceAccount', 'ns/a')
  await drain()
  assert.deepEqual([found('a'), found('b')], [undefined, '200'])
})

test('what the watch brings in the version that was read is its own from then on', async t => {
  const { accounts, cluster, put, found } = await following(t)
  accounts.learn(account('a', '101'))
  put('a')
  await drain()
  cluster.remove('ServiceAccount', 'ns/a')
  await drain()
  assert.equal(found('a'), undefined)
})

for (const [version, known, isNews] of [
  ['100', '101', 0],
  ['101', '101', 0],
  ['102', '102', 1],
  ['not-a-number', 'not-a-number', 1],
] as const)
  test(`version ${version} read beside version 101 of the watch makes ${known} known, and is ${isNews === 0 ? 'no ' : ''}news [2.10.2]`, async t => {
    const { accounts, found, news } = await following(t, {}, { a: {} })
    const heard = news('a')
    accounts.learn(account('a', version))
    assert.deepEqual([found('a'), heard.length], [known, isNews])
  })

test('whoever waits for one is told of it, and of no other, until it asks no more', async t => {
  const { accounts, put, news } = await following(t)
  const [own, other] = [news('a'), news('b')]
  let heard = 0
  const forget = accounts.onNews({ namespace: 'ns', name: 'a' }, () => heard++)
  put('a')
  await drain()
  assert.deepEqual([own.length, other.length, heard], [1, 0, 1])
  forget()
  put('a')
  await drain()
  assert.deepEqual([own.length, other.length, heard], [2, 0, 1])
})

test('whoever asks no more, twice, takes nobody with it who came in between', async t => {
  const { accounts, put, news } = await following(t)
  const forget = accounts.onNews({ namespace: 'ns', name: 'a' }, () => assert.fail('told'))
  forget()
  assert.equal(accounts.awaited, 0)
  const heard = news('a')
  forget()
  assert.equal(accounts.awaited, 1)
  put('a')
  await drain()
  assert.equal(heard.length, 1)
})

test('whoever waits is told of what the first list brings', async t => {
  const cluster = fakeCluster()
  cluster.put('ServiceAccount', 'ns/a')
  cluster.holdLists = true
  const { news } = await following(t, { client: cluster.client })
  const heard = news('a')
  cluster.holdLists = false
  cluster.answerReads()
  await drain()
  assert.equal(heard.length, 1)
})

test('what the first list brings in the version that was read is its own from then on', async t => {
  const cluster = fakeCluster()
  const put = (resourceVersion: string): void =>
    void Object.assign(cluster.put('ServiceAccount', 'ns/a').metadata, { resourceVersion })
  put('one')
  cluster.holdLists = true
  const { accounts, found } = await following(t, { client: cluster.client })
  accounts.learn(account('a', 'one'))
  cluster.holdLists = false
  cluster.answerReads()
  await drain()
  put('other')
  await drain()
  assert.equal(found('a'), 'other', 'which of two versions that are no numbers is the newer nobody knows')
})

test('of ServiceAccounts the metadata alone is listed and watched', async t => {
  const { client } = fakeCluster()
  const asked: unknown[] = []
  const noting = {
    ...client,
    list: (...[type, options]: Parameters<KubeClient['list']>) => (asked.push(options?.metadataOnly), client.list(type, options)),
    watch: (...[type, options]: Parameters<KubeClient['watch']>) => (
      asked.push(options?.metadataOnly), client.watch(type, options)
    ),
  } as KubeClient
  await following(t, { client: noting })
  assert.deepEqual(asked, [true, true])
})

test('when something else has changed, everybody who waits is told', async t => {
  const { accounts, news } = await following(t)
  const heard = [news('a'), news('a'), news('b')]
  accounts.tellAll()
  assert.deepEqual(heard, [['a'], ['a'], ['b']])
})

test('read anew, what direct reads brought is forgotten, and one list is asked for [F-06]', async t => {
  const { accounts, cluster, found } = await following(t)
  accounts.learn(account('a', '105'))
  accounts.refresh()
  assert.equal(found('a'), undefined)
  await drain()
  assert.equal(cluster.lists, 2)
})

test('a whole list past the cache brings what the watch has not brought, and no news of the rest [S20]', async t => {
  const { accounts, cluster, put, found, news } = await following(t, {}, { a: {}, b: {} })
  cluster.hold()
  put('b', role)
  put('c', role)
  const heard = [news('a'), news('b'), news('c')]
  await accounts.readAll(new AbortController().signal)
  assert.deepEqual([found('a'), found('b'), found('c')], ['101', '103', '104'])
  assert.deepEqual(heard, [[], ['b'], ['c']])
})

for (const [what, last] of [
  ['names none', {}],
  ['names the empty one', { continue: '' }],
] as const)
  test(`a whole list is read by pages of 250, of metadata alone, to the one that ${what} to go on with`, async () => {
    const pages = [
      { items: [account('a')], metadata: { continue: 'more' } },
      { items: [account('b')], metadata: last },
    ]
    const asked: unknown[] = []
    const list = (_type: unknown, options: unknown): Promise<unknown> => {
      asked.push(options)
      return Promise.resolve(pages.shift())
    }
    const { accounts, found } = accountsOf({ list } as unknown as KubeClient)
    const { signal } = new AbortController()
    await accounts.readAll(signal)
    const common = { metadataOnly: true, limit: 250, signal }
    assert.deepEqual(asked, [common, { ...common, continue: 'more' }])
    assert.deepEqual([found('a'), found('b')], ['1', '1'])
  })
