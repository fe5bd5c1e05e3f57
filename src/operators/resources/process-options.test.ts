// What the operator of a process is made of.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inProcessTransport } from '#aws/client'
import { ManualClock, parseFlags, seededRandom, silentLog } from '#base'
import { Metrics } from '#runtime'
import { flagGroups, readResourceFlags } from './flags.ts'
import { chooseServices, processOptions } from './process-options.ts'
import { shippedService } from './services/shipped.ts'

const inferred = [shippedService('s3'), shippedService('route53')]

function settingsOf(...args: readonly string[]) {
  const flags = flagGroups.flatMap(group => group.flags)
  return readResourceFlags(parseFlags(flags, args, new Map()), { workers: 3, env: {} })
}

test('services that were inferred go before those of their name, and only those bring definitions with them', async () => {
  const warned: string[] = []
  const asked: string[] = []
  const infer = (folder: string, warn: (text: string) => void) => {
    asked.push(folder)
    warn('left out')
    return Promise.resolve(inferred)
  }
  const choose = (models: string | undefined) =>
    chooseServices({ models, services: ['iam', 's3'] }, infer, text => void warned.push(text))
  const { services, crds } = await choose('/m')
  assert.deepEqual(
    services.map(each => (typeof each === 'string' ? each : `inferred ${each.alias}`)),
    ['iam', 'inferred s3', 'inferred route53'],
  )
  assert.deepEqual([asked, warned], [['/m'], ['left out']])
  assert.equal(crds.length, inferred.flatMap(each => each.crds).length)
  assert.deepEqual(await choose(undefined), { services: ['iam', 's3'], crds: [] })
  assert.equal(asked.length, 1)
})

const answer = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>arn:aws:iam::444455556666:user/u</Arn><UserId>u</UserId><Account>444455556666</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`

interface Process {
  readonly isMeasured?: boolean
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly status?: number
}

async function made({
  args = ['--aws-region=eu-west-1', '--services=iam'],
  env = {},
  status = 200,
  isMeasured = true,
}: Process = {}) {
  const metrics = new Metrics()
  const told: unknown[] = []
  const hosts: string[] = []
  const log = { ...silentLog, info: (message: string, about?: object) => void told.push([message, about]) }
  const transport = inProcessTransport(request => {
    hosts.push(String(request.headers['host']))
    return Promise.resolve({ status, headers: { 'content-type': 'text/xml' }, body: new TextEncoder().encode(answer) })
  })
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 's' }
  const seams = { clock: new ManualClock(), random: seededRandom(1), log, env: { ...keys, ...env } }
  const build = { commit: 'c', date: 'd' }
  const parts = {
    seams,
    transport,
    infer: () => Promise.resolve(inferred),
    version: '1',
    build,
    ...(isMeasured ? { metrics } : {}),
  }
  const { options } = await processOptions(settingsOf(...args), parts as never)
  return { options, told, hosts, measured: metrics.expose() }
}

const account = ['--aws-region=eu-west-1', '--aws-account-id=111122223333', '--services=iam']

test('without a region nothing is made', () =>
  assert.rejects(made({ args: ['--services=iam'] }), {
    message: 'in which region of AWS? name it by --aws-region or AWS_REGION',
  }))

test('the account is the one that is said, and nobody is asked for it', async () => {
  const { options, hosts } = await made({ args: account })
  assert.deepEqual([options.home, hosts], [{ account: '111122223333', partition: 'aws', region: 'eu-west-1' }, []])
  assert.deepEqual([options.version, options.build, options.nowMs()], ['1', { commit: 'c', date: 'd' }, new ManualClock().now()])
})

test('an account that nobody says is asked for', async () => {
  const { options, hosts } = await made()
  assert.deepEqual([options.home.account, hosts], ['444455556666', ['sts.eu-west-1.amazonaws.com']])
})

test('an account that AWS does not tell is told with the next step', () =>
  assert.rejects(
    made({ status: 403 }),
    /^Error: AWS does not say whose account this is \(GetCallerIdentity in eu-west-1\): .*; check the network, .*--aws-account-id/,
  ))

for (const [what, env, namespace] of [
  ['nobody says where', {}, 'ack-system'],
  ['the process is somewhere', { K8S_NAMESPACE: 'here' }, 'here'],
  ['it is said where', { K8S_NAMESPACE: 'here', ACK_SYSTEM_NAMESPACE: 'there' }, 'there'],
  ['it is said by nothing', { K8S_NAMESPACE: '', ACK_SYSTEM_NAMESPACE: '' }, 'ack-system'],
] as const)
  test(`where ${what}, mappings of roles are in ${namespace}`, async () =>
    assert.equal((await made({ args: account, env })).options.systemNamespace, namespace))

test('which services there are is told at the start', async () => {
  const { told } = await made({ args: [...account, '--models=/m'] })
  const [message, about] = told[0] as readonly [string, { readonly named: string; readonly inferred: number }]
  assert.deepEqual([message, about.named, about.inferred], ['services', 'iam', 2])
})

for (const [args, host] of [
  [['--aws-endpoint-url=https://aws.example.com'], 'aws.example.com'],
  [['--aws-identity-endpoint-url=https://sts.example.com', '--aws-endpoint-url=https://aws.example.com'], 'sts.example.com'],
] as const)
  test(`with ${args.join(' ')} identity is asked for at ${host}`, async () => {
    const { hosts } = await made({ args: ['--aws-region=eu-west-1', '--services=iam', ...args] })
    assert.deepEqual(hosts, [host])
  })

test('how fast AWS is called is measured where anything is', async () => {
  const measured = async (isMeasured: boolean) => (await made({ args: account, isMeasured })).measured.includes('vouch_aws_calls')
  assert.deepEqual([await measured(true), await measured(false)], [true, false])
})
