import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessOf } from './access.ts'
import { type ClusterProfile, clusterManagerLabel, clusterNameLabel, clusterNameOf } from './cluster-profile.ts'
import { propertiesOf } from './properties.ts'
import { type Provider, ProviderFileError, parseProviderFile } from './provider-file.ts'
import { namespaceOfLogicalName, resolveCluster } from './resolve.ts'

interface Options {
  readonly namespace?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly status?: ClusterProfile['status']
}

const ocm = { [clusterNameLabel]: 'wlc-a', [clusterManagerLabel]: 'open-cluster-management' }
const offer = { name: 'ocm', cluster: { server: 'https://wlc-a.example:6443' } }

function profile(name: string, { namespace = 'inventory', labels = ocm, status }: Options = {}): ClusterProfile {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { namespace, name, uid: `uid-${name}`, resourceVersion: '1', labels },
    spec: { clusterManager: { name: 'ocm' } },
    status: status ?? { accessProviders: [offer] },
  }
}

const summary = (profiles: readonly ClusterProfile[], namespace = 'wlc-a'): string => {
  const found = resolveCluster(namespace, profiles)
  return found.kind === 'resolved'
    ? `${found.logicalName} by ${found.profile.metadata.name}`
    : `${found.reason}: ${found.message}`
}

test('a namespace is the cluster of the one profile with both labels and an access provider [6.1]', () => {
  assert.equal(summary([profile('a')]), 'wlc-a/wlc-a by a')
  assert.match(summary([]), /^ClusterProfileNotFound: no ClusterProfile has the labels /)
  assert.match(summary([profile('a')], 'wlc-b'), /^ClusterProfileNotFound/)
  assert.match(summary([profile('a', { labels: { [clusterNameLabel]: 'wlc-a' } })]), /^ClusterProfileNotFound/)
  const other = profile('a', { labels: { ...ocm, [clusterManagerLabel]: 'somebody-else' } })
  assert.match(summary([other]), /^ClusterProfileNotFound/)
})

test('only credentialProviders: not ready [13.10 #220]', () => {
  assert.equal(
    summary([profile('a', { status: { credentialProviders: [offer] } })]),
    'InventoryUnavailable: ClusterProfile inventory/a offers no access provider yet',
  )
})

test('of a ready and a not-ready one the ready one counts [13.10 #221]', () => {
  assert.equal(summary([profile('a', { status: {} }), profile('b')]), 'wlc-a/wlc-a by b')
})

test('two ready ones are ambiguous, and all are named in order [13.10 #222]', () => {
  assert.match(summary([profile('b'), profile('a')]), /^InventoryAmbiguous: .*inventory\/a, inventory\/b;/)
  assert.equal(
    summary([profile('b'), profile('z', { namespace: 'east' }), profile('a')]),
    'InventoryAmbiguous: several ClusterProfiles stand for wlc-a: east/z, inventory/a, inventory/b; leave one of them with the label',
  )
})

test('the logical name comes from the label, or from the object where there is none [6.1]', () => {
  assert.equal(clusterNameOf(profile('a')), 'wlc-a')
  assert.equal(clusterNameOf(profile('a', { labels: {} })), 'a')
  assert.equal(clusterNameOf(profile('a', { labels: { [clusterNameLabel]: '' } })), 'a')
})

test('a cluster name that is no pair has no namespace [13.10 #219]', () => {
  for (const [text, wanted] of [
    ['wlc-a/wlc-a', 'wlc-a'],
    ['wlc-a', undefined],
    ['', undefined],
    ['/wlc-a', undefined],
    ['wlc-a/', undefined],
    ['a/b/c', undefined],
  ] as const) {
    assert.equal(namespaceOfLogicalName(text), wanted, text)
  }
})

test('properties by their exact names and values; the last of one name wins [6.2, 13.6 #139, 13.10 #224]', () => {
  const said = (properties: Readonly<Record<string, string>>) =>
    propertiesOf(profile('a', { status: { properties: Object.entries(properties).map(([name, value]) => ({ name, value })) } }))
  const prefix = 'aws.identity.appthrust.io'
  assert.deepEqual(said({}), { eksAutoMode: false })
  assert.deepEqual(
    said({
      [`${prefix}/eks-cluster-name`]: 'prod',
      [`${prefix}/eks-cluster-arn`]: 'arn:aws:eks:us-east-1:123456789012:cluster/prod',
      [`${prefix}/aws-account-id`]: '123456789012',
      [`${prefix}/aws-organization-id`]: 'o-1',
      [`${prefix}/eks-auto-mode`]: 'true',
      [`${prefix}.aws-region`]: 'us-east-1',
    }),
    {
      eksAutoMode: true,
      eksClusterName: 'prod',
      eksClusterArn: 'arn:aws:eks:us-east-1:123456789012:cluster/prod',
      accountId: '123456789012',
      organizationId: 'o-1',
      region: 'us-east-1',
    },
  )
  assert.deepEqual(said({ [`${prefix}/eks-auto-mode`]: 'True', [`${prefix}/aws-region`]: 'us-east-1' }), { eksAutoMode: false })
  const twice = [
    { name: `${prefix}/eks-cluster-name`, value: 'old' },
    { name: `${prefix}/eks-cluster-name`, value: 'new' },
  ]
  assert.equal(propertiesOf(profile('a', { status: { properties: twice } })).eksClusterName, 'new')
})

function file(more: Readonly<Record<string, unknown>> = {}, exec: Readonly<Record<string, unknown>> = {}): readonly Provider[] {
  const execConfig = { apiVersion: 'client.authentication.k8s.io/v1', command: '/plugins/p', args: ['--x'], ...exec }
  return parseProviderFile(JSON.stringify({ providers: [{ name: 'ocm', execConfig, ...more }] }), 'p.json')
}

const extended = (extensions: readonly { readonly name: string; readonly extension: unknown }[]): ClusterProfile =>
  profile('a', {
    status: { accessProviders: [{ ...offer, cluster: { ...offer.cluster, extensions: extensions as never } }] },
  })

const execOf = (one: ClusterProfile, providers: readonly Provider[]) => {
  const access = accessOf(one, providers)
  if (access.kind === 'none') return access.message
  const { users } = JSON.parse(access.kubeconfig) as {
    users: readonly { user: { exec: { args: string[]; env: { name: string; value: string }[] } } }[]
  }
  return users[0]?.user.exec
}

const troubleOf = (exec: ReturnType<typeof execOf>): string => (typeof exec === 'string' ? exec : 'no trouble')

const args = { name: 'clusterprofiles.multicluster.x-k8s.io/exec/additional-args', extension: ['--cluster=a'] }
const envs = { name: 'clusterprofiles.multicluster.x-k8s.io/exec/additional-envs', extension: { K: 'profile', L: 'l' } }

test('additional arguments are appended where the file says so, each time to those of the file alone [13.10 #232]', () => {
  const providers = file({ profileSourcedCLIArgsPolicy: 'Append' })
  for (let time = 0; time < 3; time++) {
    const exec = execOf(extended([args]), providers)
    assert.deepEqual(typeof exec === 'object' && exec.args, ['--x', '--cluster=a'])
  }
  for (const policy of [undefined, '', 'Ignore']) {
    const exec = execOf(extended([args]), file({ profileSourcedCLIArgsPolicy: policy }))
    assert.deepEqual(typeof exec === 'object' && exec.args, ['--x'])
  }
})

test('additional environment by policy: ignored, below the file, above it [6.3]', () => {
  const env = [{ name: 'K', value: 'file' }]
  const wanted = { Ignore: 'K=file', AppendIfNotExists: 'K=file L=l', Replace: 'K=profile L=l' }
  for (const [policy, text] of Object.entries(wanted)) {
    const exec = execOf(extended([envs]), file({ profileSourcedEnvVarsPolicy: policy }, { env }))
    assert.equal(typeof exec === 'object' && exec.env.map(({ name, value }) => `${name}=${value}`).join(' '), text, policy)
  }
})

test('extensions of another shape are told, not guessed at [6.3]', () => {
  const bad = extended([{ ...args, extension: { not: 'a list' } }])
  assert.match(troubleOf(execOf(bad, file({ profileSourcedCLIArgsPolicy: 'Append' }))), /is no list of texts$/)
  const badEnv = extended([{ ...envs, extension: { K: 1 } }])
  assert.match(troubleOf(execOf(badEnv, file({ profileSourcedEnvVarsPolicy: 'Replace' }))), /is no map of texts$/)
})

test('the order of the environment makes no other way in, the order of arguments does [13.10 #229]', () => {
  const fingerprint = (exec: Readonly<Record<string, unknown>>) => {
    const access = accessOf(profile('a'), file({}, exec))
    return access.kind === 'access' ? access.fingerprint : access.message
  }
  const one = { name: 'A', value: '1' }
  const two = { name: 'B', value: '2' }
  assert.equal(fingerprint({ env: [one, two] }), fingerprint({ env: [two, one] }))
  assert.notEqual(fingerprint({ env: [one] }), fingerprint({ env: [two] }))
  assert.notEqual(fingerprint({ args: ['a', 'b'] }), fingerprint({ args: ['b', 'a'] }))
})

test('the first provider of the file that is offered wins; an access provider counts before a credential provider of its name [6.3]', () => {
  const execConfig = { apiVersion: 'client.authentication.k8s.io/v1', command: '/p' }
  const providers = parseProviderFile(
    JSON.stringify({
      providers: [
        { name: 'first', execConfig },
        { name: 'ocm', execConfig },
      ],
    }),
    'p.json',
  )
  const two = profile('a', { status: { accessProviders: [offer, { ...offer, name: 'first' }] } })
  const access = accessOf(two, providers)
  assert.equal(access.kind === 'access' && access.provider, 'first')
  const old = { name: 'ocm', cluster: { server: 'https://old' } }
  const both = accessOf(profile('a', { status: { accessProviders: [offer], credentialProviders: [old] } }), providers)
  assert.ok(both.kind === 'access' && both.kubeconfig.includes('https://wlc-a.example:6443'))
  const only = accessOf(profile('a', { status: { credentialProviders: [old] } }), providers)
  assert.ok(only.kind === 'access' && only.kubeconfig.includes('https://old'))
})

test('what a profile may not say is not taken over: skipped verification, other names, paths of files [6.3]', () => {
  const cluster = {
    server: 'https://a',
    'insecure-skip-tls-verify': true,
    'tls-server-name': 'evil',
    'certificate-authority': '/etc/shadow',
  }
  const access = accessOf(profile('a', { status: { accessProviders: [{ name: 'ocm', cluster }] } }), file())
  assert.ok(access.kind === 'access')
  assert.ok(!/insecure|evil|shadow/.test(access.kubeconfig), access.kubeconfig)
  assert.ok(access.kubeconfig.includes('"interactiveMode":"Never"'))
})

test('a provider file that is wrong stops the start with its place and the way out [6.3]', () => {
  for (const [text, said] of [
    ['{', /is no JSON/],
    ['[]', /has no list "providers"/],
    ['{"providers":[{}]}', /providers\[0\] has no name/],
    ['{"providers":[{"name":"a","execConfig":{}}]}', /providers\[0\]\.execConfig\.command is missing/],
    ['{"providers":[{"name":"a","execConfig":{"command":"/p"}}]}', /apiVersion must be/],
    ['{"providers":[{"name":"a","profileSourcedCLIArgsPolicy":"Prepend"}]}', /must be one of Ignore, Append$/],
    ['{"providers":[{"name":"a","profileSourcedEnvVarsPolicy":"x"}]}', /must be one of Ignore, AppendIfNotExists, Replace$/],
  ] as const) {
    assert.throws(
      () => parseProviderFile(text, 'p.json'),
      (error: unknown) => error instanceof ProviderFileError && said.test(error.message),
      text,
    )
  }
  assert.match(
    troubleOf(execOf(profile('a'), parseProviderFile('{"providers":[{"name":"ocm"}]}', 'p.json'))),
    /has no execConfig/,
  )
})
