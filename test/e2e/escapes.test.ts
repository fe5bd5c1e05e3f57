// Foreign text that is made to be more than text: whoever names an object, answers a call or writes a manifest must not be able to clear the
// screen of whoever looks at it, to forge a line, or to turn the reading direction. Each command that prints such text is shown some.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { clientEnvironment, createAws } from '#emulator'
import { vouchIn } from './vouch-process.ts'

/** Clears a screen, in seven and in eight bits; sets a title; goes back to the beginning of the line; turns the direction; forges a line. */
const evil = 'mean\u001b[2J\u009b31m\u001b]0;owned\u0007\r\u202eend\nforged: all is well'
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const unfit = /[\0-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028]/

const folder = mkdtempSync(join(tmpdir(), 'vouch-escapes-'))
const aws = createAws({ accounts: ['111122223333'] })
/** Answers every question with what nobody in his right mind would print. */
const stranger = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(answerTo(request.url ?? '')))
})
let home: Readonly<Record<string, string>> = {}
let strange = ''

before(async () => {
  const { host, port } = await aws.listen()
  home = clientEnvironment(aws, { address: `http://${host}:${port}`, region: 'eu-west-1' })
  await new Promise<void>(resolve => stranger.listen(0, '127.0.0.1', resolve))
  strange = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
  const cluster = { name: 'a', cluster: { server: strange } }
  const kubeconfig = {
    clusters: [cluster],
    users: [{ name: 'a', user: {} }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  }
  for (const [name, value] of Object.entries({
    kubeconfig: { apiVersion: 'v1', kind: 'Config', 'current-context': 'a', ...kubeconfig },
    'role.yaml': {
      apiVersion: 'iam.services.k8s.aws/v1alpha1',
      kind: 'Role',
      metadata: { name: evil, namespace: evil },
      spec: { name: evil, assumeRolePolicyDocument: evil },
    },
    'review.json': {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: {
        uid: evil,
        operation: 'CREATE',
        kind: { kind: 'Pod', version: 'v1', group: '' },
        resource: { resource: 'pods', version: 'v1', group: '' },
        namespace: 'a',
        object: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: evil, namespace: 'a' },
          spec: { serviceAccountName: evil, containers: [{ name: evil, image: evil }] },
        },
      },
    },
    'model.json': {
      metadata: { protocol: 'json', serviceFullName: 'S', serviceId: 'S', endpointPrefix: 's', apiVersion: '2020-01-01' },
      operations: { [`Create${evil}`]: { name: `Create${evil}`, http: { method: 'POST', requestUri: '/' } } },
      shapes: {},
    },
    'crd.yaml': {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: evil },
      spec: {
        group: evil,
        names: { kind: evil, plural: evil },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { [evil]: { type: 'string' } } } },
          },
        ],
      },
    },
    'bare.yaml': {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: evil },
      spec: {
        group: evil,
        names: { kind: evil, plural: evil },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    },
  }))
    writeFileSync(join(folder, name), JSON.stringify(value))
})

after(async () => {
  await aws.close()
  stranger.closeAllConnections()
  stranger.close()
  rmSync(folder, { recursive: true, force: true })
})

function answerTo(path: string): object {
  if (path.startsWith('/_emulator/')) {
    const call = { service: evil, operation: evil, caller: evil, atMs: 0 }
    return { decision: evil, requestId: evil, call, steps: [{ holds: false, link: evil, detail: evil }] }
  }
  const items = path.includes('/pods')
    ? [
        {
          metadata: { name: evil, namespace: evil, uid: 'u', ownerReferences: [{ kind: evil, name: evil, controller: true }] },
          spec: { serviceAccountName: 'sa', containers: [{ name: 'a', image: 'a' }] },
        },
      ]
    : [
        {
          metadata: {
            name: 'sa',
            namespace: evil,
            uid: 'v',
            annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/r' },
          },
        },
      ]
  return { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items }
}

/** What it runs, and what of the foreign text has to be seen, so that the row cannot pass by printing nothing. */
const rows: readonly (readonly [args: string, seen: RegExp])[] = [
  ['plan -f role.yaml --offline', /mean\\u001b\[2J/],
  ['plan -f role.yaml --offline -o json', /mean\\u001b\[2J/],
  ['plan -f role.yaml -- --kubeconfig kubeconfig', /mean\\u001b\[2J/],
  ['export Role', /a\\Lb/],
  ['webhook mutate --review review.json --apply', /mean\\u001b\[2J/],
  ['webhook mutate --review review.json', /mean\\u001b\[2J/],
  ['webhook audit --kubeconfig kubeconfig', /mean\\u001b\[2J/],
  ['aws explain --control STRANGE', /mean\\u001b\[2J/],
  ['aws can s3:GetObject --namespace a --service-account b --cluster c --control STRANGE', /mean\\u001b\[2J/],
  ['infer classify --model model.json --service s', /mean\\u001b\[2J/],
  ['infer diff crd.yaml bare.yaml', /mean\\u001b\[2J/],
  ['apiserver --crds EVIL', /mean\\u001b\[2J/],
  ['render --name EVIL -- --cluster-profile-namespaces=x', /mean\\u001b\[2J/],
  ['EVIL', /mean\\u001b\[2J/],
]

for (const [args, seen] of rows)
  test(`vouch ${args} shows foreign text as text`, { timeout: 60_000 }, async () => {
    if (args.startsWith('export')) await roleWithTag()
    const words = args.split(' ').map(word => (word === 'EVIL' ? evil : word === 'STRANGE' ? strange : word))
    const { stdout, stderr } = await vouchIn(folder, words, home)
    for (const [name, text] of Object.entries({ stdout, stderr })) {
      const found = unfit.exec(text)
      assert.equal(
        found,
        null,
        `${name}: ${JSON.stringify(text.slice(Math.max(0, (found?.index ?? 0) - 60), (found?.index ?? 0) + 60))}`,
      )
      assert.doesNotMatch(text, /^forged/m, `${name} has a forged line`)
    }
    assert.match(stdout + stderr, seen)
  })

async function roleWithTag(): Promise<void> {
  const { serviceModel } = await import('#aws')
  const { AwsClients, inProcessTransport, staticCredentials } = await import('#aws/client')
  const { seededRandom, systemClock } = await import('#base')
  const clients = new AwsClients({
    credentials: staticCredentials(aws.adminCredentials()),
    transport: inProcessTransport(aws.handle),
    clock: systemClock,
    random: seededRandom(1),
  })
  const trust = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
  }
  const input = { RoleName: 'tagged', AssumeRolePolicyDocument: JSON.stringify(trust), Tags: [{ Key: 'k', Value: 'a\u2028b' }] }
  await clients.for({ model: serviceModel('iam'), region: 'eu-west-1' }).call('CreateRole', input)
}
