// Every command ends in each of the ways that its row of src/cli/frame/exit-codes.ts has, and every example of a help works: run as it stands.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Command } from 'commander'
import { silentLog, systemNet, systemSeams } from '#base'
import { namespaces, pods, serviceAccounts } from '#kube'
import { connect } from '#kube/client'
import { operators } from '../operators.ts'
import { type CommandWorld, openCommandWorld, reader, type Until } from '../testing/command-world.ts'
import { visibleCommands } from './command-line.ts'
import { examples } from './examples.ts'
import { exitCode, exitCodes, nameOf } from './exit-codes.ts'
import { createProgram } from './program.ts'

interface Row {
  readonly command: string
  readonly line: string
  readonly way: string
  /** What a command that goes on has said by when it is told to stop. */
  readonly until?: RegExp
}

/** How an example ends, where that is not the first way of its command. */
const ends: Readonly<Record<string, string>> = { plan: 'something', 'webhook audit': 'outdated', 'aws can': 'failed' }

/** What the commands that stay say when they are at work. */
const atWork: Readonly<Record<string, RegExp>> = {
  'webhook aws': /serving/,
  'webhook azure': /serving/,
  'webhook both': /serving/,
  sidecar: /fresh/,
  apiserver: /Ctrl-C stops it/,
  aws: /^export /m,
  azure: /^export /m,
}

const shown: readonly Row[] = [
  ...Object.entries(examples).flatMap(([command, lines]) =>
    lines.map(({ line }) => ({ command, line, way: ends[command] ?? Object.keys(exitCodes[command] ?? {})[0] ?? '' })),
  ),
  ...operators.flatMap(({ examples: lines }) => lines.map(({ line }) => ({ command: 'operator', line, way: 'stopped' }))),
]

const others: readonly Row[] = [
  { command: 'dev', line: 'env TMPDIR=/nowhere vouch dev --once', way: 'failed' },
  { command: 'dev', line: 'vouch dev --once --json', way: 'interrupted', until: /"cluster":"hub"/ },
  { command: 'operator', line: 'vouch operator', way: 'failed' },
  { command: 'webhook', line: 'vouch webhook --help', way: 'done' },
  { command: 'webhook', line: 'vouch webhook adit', way: 'failed' },
  { command: 'webhook aws', line: 'vouch webhook aws --in-cluster=false --kubeconfig=none', way: 'failed' },
  { command: 'webhook aws', line: 'vouch webhook aws --nope', way: 'misused' },
  { command: 'webhook azure', line: 'vouch webhook azure --disable-cert-rotation --webhook-cert-dir=none', way: 'failed' },
  { command: 'webhook azure', line: 'vouch webhook azure --nope', way: 'misused' },
  {
    command: 'webhook both',
    line: 'vouch webhook both --aws.in-cluster=false --azure.disable-cert-rotation --azure.webhook-cert-dir=none --kubeconfig=none',
    way: 'failed',
  },
  { command: 'webhook both', line: 'vouch webhook both --nope', way: 'misused' },
  { command: 'webhook manifests', line: 'vouch webhook manifests --provider azure', way: 'failed' },
  {
    command: 'webhook manifests',
    line: 'vouch webhook manifests --provider azure --tenant-id t --api-server-cidr none',
    way: 'failed',
  },
  { command: 'webhook mutate', line: 'vouch webhook mutate --review review.json --objects serviceaccount.yaml', way: 'allowed' },
  { command: 'webhook mutate', line: 'vouch webhook mutate --review no-review.json', way: 'refused' },
  { command: 'webhook mutate', line: 'vouch webhook mutate --review none', way: 'failed' },
  { command: 'webhook audit', line: 'vouch webhook audit --namespace plain', way: 'same' },
  { command: 'webhook audit', line: 'vouch webhook audit --namespace empty', way: 'nothing' },
  { command: 'webhook audit', line: 'vouch webhook audit --kubeconfig none', way: 'failed' },
  { command: 'webhook manifests', line: 'vouch webhook manifests --replicas none', way: 'failed' },
  { command: 'render', line: 'vouch render --part nothing', way: 'failed' },
  { command: 'rights', line: 'vouch rights --of nobody', way: 'failed' },
  { command: 'plan', line: 'vouch plan -f as-it-is.yaml --aws-region eu-west-1', way: 'nothing' },
  { command: 'plan', line: 'vouch plan -f none', way: 'failed' },
  { command: 'export', line: 'vouch export nothings --aws-region eu-west-1', way: 'failed' },
  { command: 'infer', line: 'vouch infer --model none --service s --output out', way: 'failed' },
  { command: 'infer classify', line: 'vouch infer classify --model none --service s', way: 'failed' },
  { command: 'infer explain', line: 'vouch infer explain nothing --adoption', way: 'failed' },
  { command: 'infer diff', line: 'vouch infer diff crd.yaml other-crd.yaml', way: 'failed' },
  { command: 'credential-process', line: 'vouch credential-process --namespace=edge', way: 'failed' },
  { command: 'sidecar', line: 'vouch sidecar check --token-file=tls.crt --aws-config-file=tls.key', way: 'checked' },
  { command: 'sidecar', line: 'vouch sidecar check --token-file=none --aws-config-file=tls.key', way: 'failed' },
  { command: 'apiserver', line: 'vouch apiserver --port none', way: 'failed' },
  { command: 'aws', line: 'vouch aws --data none/at/all', way: 'failed' },
  { command: 'azure', line: 'vouch azure --data none/at/all', way: 'failed' },
  { command: 'aws explain', line: 'vouch aws explain --control http://127.0.0.1:1', way: 'failed' },
  {
    command: 'aws can',
    line: 'vouch aws can sts:GetCallerIdentity -n demo --service-account reader --cluster prod',
    way: 'failed',
  },
  { command: 'completion', line: 'vouch completion tcsh', way: 'failed' },
  { command: 'version', line: 'vouch version --nope', way: 'failed' },
]

let world: CommandWorld
before(async () => {
  world = await openCommandWorld()
  await makePods(world)
})
after(() => world[Symbol.asyncDispose]())

for (const row of [...shown, ...others])
  test(`${row.way}: ${row.line}`, { timeout: 120_000 }, async () => {
    const { HEALTH, until } = await stopWhen(row)
    const told = await world.run(HEALTH === undefined ? row.line : `env HEALTH=127.0.0.1:${HEALTH} ${row.line}`, until)
    assert.equal(told.code, exitCode(row.command, row.way), told.stdout + told.stderr)
    assert.doesNotMatch(told.stderr, /^\s+at .*:\d+:\d+/m, 'no stack')
  })

test('every command has a row of the table, an example in its help, and ends in every way that is said', () => {
  const names = below(createProgram()).map(nameOf)
  assert.deepEqual(Object.keys(exitCodes).toSorted(), names.toSorted())
  const withExample = [...Object.keys(examples), 'operator']
  // A group of commands does nothing itself.
  assert.deepEqual(withExample.toSorted(), names.filter(name => name !== 'webhook').toSorted())
  const said = Object.entries(exitCodes).flatMap(([name, ways]) => Object.keys(ways).map(way => `${name}: ${way}`))
  // That a pod may is told by test/e2e/dev.test.ts and src/cli/worlds/aws-questions.test.ts, which have such a pod.
  const seen = [...shown, ...others].map(({ command, way }) => `${command}: ${way}`)
  assert.deepEqual(
    said.filter(one => !seen.includes(one)),
    ['aws can: may'],
  )
})

test('help of every command shows its example and how it ends', { timeout: 120_000 }, async () => {
  for (const name of Object.keys(examples)) {
    const { stdout, code } = await world.run(`vouch ${name} --help`)
    assert.equal(code, 0)
    assert.ok(stdout.includes(examples[name]?.[0]?.line ?? name), name)
    assert.match(stdout, /\nExit codes:\n  0  /, name)
  }
})

async function stopWhen({ command, until, way }: Row): Promise<{ readonly HEALTH?: number; readonly until?: Until }> {
  if (until !== undefined) return { until }
  if (way !== 'stopped') return {}
  const said = atWork[command]
  if (said !== undefined) return { until: said }
  const port = await freePort()
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`)
      .then(({ ok }) => ok)
      .catch(() => false)
  return { HEALTH: port, until: isReady }
}

/** One that lacks what it would get today, and one that needs nothing. */
async function makePods({ folder }: CommandWorld): Promise<void> {
  const { client } = await connect(systemSeams({ ...process.env }, { log: silentLog }), { kubeconfig: [`${folder}/kubeconfig`] })
  for (const name of ['demo', 'plain', 'empty'])
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await client.create(serviceAccounts, reader)
  await client.create(serviceAccounts, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace: 'plain', name: 'reader' },
  })
  for (const namespace of ['demo', 'plain'])
    await client.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace, name: 'p' },
      spec: { serviceAccountName: 'reader', containers: [{ name: 'a', image: 'a' }] },
    } as never)
  await client.close()
}

function below(command: Command): readonly Command[] {
  return visibleCommands(command).flatMap(one => [one, ...below(one)])
}

/** The process cannot be told to choose a port itself and say which. */
async function freePort(): Promise<number> {
  const listener = await systemNet.listen({ host: '127.0.0.1', port: 0 }, async () => ({ status: 200, headers: {}, body: null }))
  await listener.close()
  return listener.port
}
