// The hosted zones as name servers show them, asked by Node's own resolver (c-ares) over real sockets.
import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { ChangeResourceRecordSetsCommand, CreateHostedZoneCommand, type RRType } from '@aws-sdk/client-route-53'
import { type DnsAnswer, systemDns } from '#base'
import { type Clients, clients } from './clients.ts'

type Row = readonly [name: string, type: RRType, ...values: string[]]

interface Zone {
  readonly id: string
  readonly servers: readonly string[]
}

async function zone({ route53 }: Clients, name: string, ...rows: readonly Row[]): Promise<Zone> {
  const made = await route53.send(new CreateHostedZoneCommand({ Name: name, CallerReference: name }))
  const created = { id: made.HostedZone?.Id ?? '', servers: made.DelegationSet?.NameServers ?? [] }
  if (rows.length > 0) await write({ route53 }, created, ...rows)
  return created
}

async function write({ route53 }: Pick<Clients, 'route53'>, { id }: Zone, ...rows: readonly Row[]): Promise<void> {
  const Changes = rows.map(([Name, Type, ...values]) => ({
    Action: 'CREATE' as const,
    ResourceRecordSet: { Name, Type, TTL: 60, ResourceRecords: values.map(Value => ({ Value })) },
  }))
  await route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId: id, ChangeBatch: { Changes } }))
}

async function asked<T>(world: Clients, ask: (resolver: Resolver, port: number) => Promise<T>): Promise<T> {
  const server = await world.aws.dns.listen()
  const resolver = new Resolver({ tries: 1 })
  resolver.setServers([`127.0.0.1:${server.port}`])
  try {
    return await ask(resolver, server.port)
  } finally {
    await server.close()
  }
}

/** Records without their type, which newer versions of Node add to some. */
const untyped = (records: readonly object[]): readonly object[] => records.map(record => ({ ...record, type: undefined }))

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  )

test('a resolver reads records of every type that it knows as they were written', async () => {
  const world = clients()
  await zone(
    world,
    'example.com',
    ['a.example.com', 'A', '10.0.0.1', '10.0.0.2'],
    ['a.example.com', 'AAAA', '2001:db8::1'],
    ['example.com', 'MX', '10 mail.example.com', '20 mail.example.net'],
    ['t.example.com', 'TXT', '"one" "two"', '"with \\"quotes\\" and \\344"'],
    ['_sip._tcp.example.com', 'SRV', '1 2 5060 sip.example.com'],
    ['example.com', 'CAA', '0 issue "amazon.com"', '128 iodef "mailto:ca@example.com"'],
    ['n.example.com', 'NAPTR', '100 50 "s" "SIP+D2U" "" _sip._udp.example.com'],
    ['1.0.0.10.example.com', 'PTR', 'a.example.com'],
    ['c.example.com', 'CNAME', 'a.example.com'],
    ['*.wild.example.com', 'A', '10.0.0.9'],
  )
  await asked(world, async resolver => {
    assert.deepEqual((await resolver.resolve4('A.Example.COM')).toSorted(), ['10.0.0.1', '10.0.0.2'])
    assert.deepEqual(await resolver.resolve4('a.example.com', { ttl: true }), [
      { address: '10.0.0.1', ttl: 60 },
      { address: '10.0.0.2', ttl: 60 },
    ])
    assert.deepEqual(await resolver.resolve6('a.example.com'), ['2001:db8::1'])
    assert.deepEqual(await resolver.resolve4('c.example.com'), ['10.0.0.1', '10.0.0.2'])
    assert.deepEqual(await resolver.resolveCname('c.example.com'), ['a.example.com'])
    assert.deepEqual(await resolver.resolve4('deep.below.wild.example.com'), ['10.0.0.9'])
    assert.deepEqual(
      untyped(await resolver.resolveMx('example.com')),
      untyped([
        { exchange: 'mail.example.com', priority: 10 },
        { exchange: 'mail.example.net', priority: 20 },
      ]),
    )
    assert.deepEqual(await resolver.resolveTxt('t.example.com'), [['one', 'two'], ['with "quotes" and ä']])
    assert.deepEqual(
      untyped(await resolver.resolveSrv('_sip._tcp.example.com')),
      untyped([{ name: 'sip.example.com', port: 5060, priority: 1, weight: 2 }]),
    )
    assert.deepEqual(
      untyped(await resolver.resolveCaa('example.com')),
      untyped([
        { critical: 0, issue: 'amazon.com' },
        { critical: 128, iodef: 'mailto:ca@example.com' },
      ]),
    )
    assert.deepEqual(
      untyped(await resolver.resolveNaptr('n.example.com')),
      untyped([{ flags: 's', service: 'SIP+D2U', regexp: '', replacement: '_sip._udp.example.com', order: 100, preference: 50 }]),
    )
    assert.deepEqual(await resolver.resolvePtr('1.0.0.10.example.com'), ['a.example.com'])
    const soa = await resolver.resolveSoa('example.com')
    assert.deepEqual([soa.serial, soa.minttl, soa.hostmaster], [1, 86_400, 'awsdns-hostmaster.amazon.com'])
  })
})

test('a name that is not there, a type that is not there, and a zone that is not ours are three answers', async () => {
  const world = clients()
  await zone(world, 'example.com', ['a.example.com', 'A', '10.0.0.1'])
  await asked(world, async resolver => {
    assert.equal(await codeOf(resolver.resolve4('b.example.com')), 'ENOTFOUND')
    assert.equal(await codeOf(resolver.resolve6('a.example.com')), 'ENODATA')
    assert.equal(await codeOf(resolver.resolve4('a.example.org')), 'EREFUSED')
    assert.equal(await codeOf(resolver.resolveAny('a.example.com')), 'ENOTIMP')
  })
})

test('what a datagram cannot hold is asked again over TCP, and comes whole', async () => {
  const world = clients()
  const long = Array.from({ length: 40 }, (_, index) => `"${String(index).padStart(3, '0')}${'x'.repeat(200)}"`)
  await zone(world, 'example.com', ['long.example.com', 'TXT', ...long])
  const values = await asked(world, resolver => resolver.resolveTxt('long.example.com'))
  assert.deepEqual(
    values.map(([text]) => `"${text}"`),
    long,
  )
})

test('a child zone answers once its parent delegates to it, and what is delegated to strangers is not answered', async () => {
  const world = clients()
  const parent = await zone(
    world,
    'example.com',
    ['www.theirs.example.com', 'A', '10.0.0.1'],
    ['theirs.example.com', 'NS', 'ns1.elsewhere.net'],
  )
  const child = await zone(world, 'dev.example.com', ['www.dev.example.com', 'A', '10.0.0.2'])
  await asked(world, async resolver => {
    assert.equal(await codeOf(resolver.resolve4('www.dev.example.com')), 'ENOTFOUND')
    await write(world, parent, ['dev.example.com', 'NS', ...child.servers])
    assert.deepEqual(await resolver.resolve4('www.dev.example.com'), ['10.0.0.2'])
    assert.deepEqual((await resolver.resolveNs('dev.example.com')).toSorted(), [...child.servers].toSorted())
    assert.equal(await codeOf(resolver.resolve4('www.theirs.example.com')), 'ENODATA')
  })
  assert.deepEqual(world.aws.dns.resolve('www.theirs.example.com', 'A'), {
    code: 'NOERROR',
    records: [],
    authority: [{ name: 'theirs.example.com.', type: 'NS', ttl: 60, value: 'ns1.elsewhere.net' }],
  })
})

test('a change is answered when it is in sync, not before', async () => {
  const world = clients({ profile: 'async' })
  await zone(world, 'example.com', ['a.example.com', 'A', '10.0.0.1'])
  assert.equal(world.aws.dns.resolve('a.example.com', 'A').code, 'REFUSED')
  await world.clock.advance(60_000)
  assert.deepEqual(await asked(world, resolver => resolver.resolve4('a.example.com')), ['10.0.0.1'])
})

test('a private zone is seen by those who ask from its VPC', async () => {
  const world = clients()
  const made = await world.route53.send(
    new CreateHostedZoneCommand({
      Name: 'example.com',
      CallerReference: 'inside',
      VPC: { VPCRegion: 'us-east-1', VPCId: 'vpc-1' },
    }),
  )
  await write(world, { id: made.HostedZone?.Id ?? '', servers: [] }, ['a.example.com', 'A', '10.0.0.1'])
  assert.equal(world.aws.dns.resolve('a.example.com', 'A').code, 'REFUSED')
  const inside = await world.aws.dns.listen({ vpc: 'vpc-1' })
  const resolver = new Resolver({ tries: 1 })
  resolver.setServers([`127.0.0.1:${inside.port}`])
  assert.deepEqual(await resolver.resolve4('a.example.com'), ['10.0.0.1'])
})

test('two questions sent as three pieces over one TCP connection get two answers, and closing ends the connection', async () => {
  const world = clients()
  await zone(world, 'example.com', ['a.example.com', 'A', '10.0.0.1'])
  const server = await world.aws.dns.listen()
  const question = Buffer.from('00010100000100000000000001610765786d61706c65036e6574', 'hex')
  const asking = Buffer.concat([question, Buffer.from('0000010001', 'hex')])
  const framed = Buffer.concat([Buffer.from([0, asking.length]), asking])
  const both = Buffer.concat([framed, framed])
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  let received = Buffer.alloc(0)
  const answered = new Promise<void>(resolve => {
    socket.on('data', (piece: Buffer) => {
      received = Buffer.concat([received, piece])
      if (received.length >= both.length) resolve()
    })
  })
  for (const piece of [both.subarray(0, 1), both.subarray(1, 30), both.subarray(30)]) socket.write(piece)
  await answered
  // The same message with the bits of an answer, refused: nobody's zone.
  const expected = Buffer.from(framed)
  expected.writeUInt16BE(0x8185, 4)
  assert.deepEqual(received, Buffer.concat([expected, expected]))
  const closed = once(socket, 'close')
  await server.close()
  await closed
})

test('our own question finds what stands in the zones, nothing, or nobody', async () => {
  const world = clients()
  const made = await zone(world, 'example.com', ['_1.example.com', 'CNAME', '_2.acm-validations.aws'])
  await asked(world, async (_, port) => {
    const ask = (name: string, type: 'CNAME' | 'NS', at = `127.0.0.1:${port}`): Promise<DnsAnswer> =>
      systemDns.ask({ name, type, servers: [at], timeoutMs: 5_000 })
    assert.deepEqual(await ask('_1.example.com', 'CNAME'), { kind: 'values', values: ['_2.acm-validations.aws'] })
    const servers = await ask('example.com', 'NS')
    assert.deepEqual(servers.kind === 'values' && [...servers.values].sort(), [...made.servers].sort())
    assert.deepEqual(await ask('_3.example.com', 'CNAME'), { kind: 'none' })
    assert.deepEqual(await ask('_1.example.com', 'NS'), { kind: 'none' })
    assert.deepEqual(await ask('example.org', 'NS'), { kind: 'silent' })
    assert.deepEqual(await ask('example.com', 'NS', '127.0.0.1:1'), { kind: 'silent' })
    assert.deepEqual(await ask('example.com', 'NS', '127.0.0.1:99999'), { kind: 'silent' })
  })
})
