// `vouch aws` as its users start it: what it prints is enough to use it, also over https, and a restart loses nothing.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { CreateRoleCommand, GetRoleCommand, IAMClient } from '@aws-sdk/client-iam'
import { CreateHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53'

const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')
const folder = mkdtempSync(join(tmpdir(), 'vouch-aws-test-'))
const children = new Set<ChildProcess>()
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Started {
  readonly output: string
  readonly exported: Readonly<Record<string, string>>
  stop(): Promise<number | null>
}

function vouchAws(...flags: readonly string[]): ChildProcess {
  const args = ['--disable-warning=ExperimentalWarning', main, 'aws', '--port', '0', '--control-port', '0', ...flags]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  return child
}

async function started(...flags: readonly string[]): Promise<Started> {
  const child = vouchAws(...flags)
  let output = ''
  child.stderr?.on('data', (text: Buffer) => (output += text.toString()))
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => {
      output += text.toString()
      if (/^export .*\n/m.test(output)) resolve()
    })
    child.on('close', () => reject(new Error(output)))
  })
  const words = /^export (.*)$/m.exec(output)?.[1]?.split(' ') ?? []
  return {
    output,
    exported: Object.fromEntries(words.map(word => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)])),
    stop: async () => {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      return ((await closed) as [number | null])[0]
    },
  }
}

function iamOf({ exported }: Started): IAMClient {
  const authority = exported['AWS_CA_BUNDLE'] ?? ''
  return new IAMClient({
    endpoint: exported['AWS_ENDPOINT_URL'] ?? '',
    region: exported['AWS_REGION'] ?? '',
    credentials: {
      accessKeyId: exported['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: exported['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
    requestHandler: { httpsAgent: new Agent({ ca: readFileSync(authority) }) },
  })
}

test('what is printed is enough to use it over https, and a second start goes on with the file, seed and all', async () => {
  const data = join(folder, 'state.json')
  const first = await started('--tls', '--signatures', 'verify', '--seed', 'mine', '--data', data)
  const statement = { Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }
  const AssumeRolePolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
  const { Role } = await iamOf(first).send(new CreateRoleCommand({ RoleName: 'kept', AssumeRolePolicyDocument }))
  assert.equal(await first.stop(), 0)
  assert.ok(!existsSync(first.exported['AWS_CA_BUNDLE'] ?? ''), 'the file with the certificate goes with the process')
  assert.equal(statSync(data).mode & 0o777, 0o600)
  const second = await started('--tls', '--signatures', 'verify', '--data', data)
  assert.equal(second.exported['AWS_ACCESS_KEY_ID'], first.exported['AWS_ACCESS_KEY_ID'])
  assert.deepEqual((await iamOf(second).send(new GetRoleCommand({ RoleName: 'kept' }))).Role?.RoleId, Role?.RoleId)
  assert.equal(await second.stop(), 0)
})

test('a file that cannot be kept, or that holds something else, ends it at once with what to do', async () => {
  const foreign = join(folder, 'foreign.json')
  writeFileSync(foreign, '{}')
  mkdirSync(join(folder, 'a-folder'))
  const refusals: readonly (readonly [string, RegExp])[] = [
    [join(folder, 'absent', 'state.json'), /cannot be written: its folder does not exist; make it first/],
    [join(folder, 'a-folder'), /cannot be read: it is a folder; name a file in it/],
    [foreign, /error: the saved state is none of an emulator, or one of another version/],
  ]
  for (const [file, reason] of refusals) {
    const child = vouchAws('--data', file)
    let output = ''
    child.stderr?.on('data', (text: Buffer) => (output += text.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    assert.equal(code, 1, output)
    assert.match(output, reason)
    assert.doesNotMatch(output, /\n +at /)
  }
  assert.equal(readFileSync(foreign, 'utf8'), '{}', 'what is not ours stays as it is')
})

test('with --dns-port the hosted zones answer over UDP and TCP, at the address that is printed', async () => {
  const emulator = await started('--profile', 'instant', '--dns-port', '0')
  const port = Number(/DNS of the zones: dig @127\.0\.0\.1 -p (\d+)/.exec(emulator.output)?.[1])
  const { exported } = emulator
  const route53 = new Route53Client({
    endpoint: exported['AWS_ENDPOINT_URL'] ?? '',
    region: exported['AWS_REGION'] ?? '',
    credentials: {
      accessKeyId: exported['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: exported['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
  })
  const { DelegationSet } = await route53.send(new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: 'one' }))
  const resolver = new Resolver({ tries: 1 })
  resolver.setServers([`127.0.0.1:${port}`])
  assert.deepEqual((await resolver.resolveNs('example.com')).toSorted(), DelegationSet?.NameServers?.toSorted())
  assert.equal(await emulator.stop(), 0)
})
