import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessOf } from './access.ts'
import type { ClusterProfile } from './cluster-profile.ts'
import { type ClusterProvider, ProviderFileError, parseProviderFile } from './provider-file.ts'
import { accessOffer, profileOf } from './testing/profiles.ts'

function file(
  more: Readonly<Record<string, unknown>> = {},
  exec: Readonly<Record<string, unknown>> = {},
): readonly ClusterProvider[] {
  const execConfig = { apiVersion: 'client.authentication.k8s.io/v1', command: '/plugins/p', args: ['--x'], ...exec }
  return parseProviderFile(JSON.stringify({ providers: [{ name: 'ocm', execConfig, ...more }] }), 'p.json')
}

const extended = (extensions: readonly { readonly name: string; readonly extension: unknown }[]): ClusterProfile =>
  profileOf('a', {
    status: { accessProviders: [{ ...accessOffer, cluster: { ...accessOffer.cluster, extensions: extensions as never } }] },
  })

const execOf = (one: ClusterProfile, providers: readonly ClusterProvider[]) => {
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
    const access = accessOf(profileOf('a'), file({}, exec))
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
  const two = profileOf('a', { status: { accessProviders: [accessOffer, { ...accessOffer, name: 'first' }] } })
  const access = accessOf(two, providers)
  assert.equal(access.kind === 'access' && access.provider, 'first')
  const old = { name: 'ocm', cluster: { server: 'https://old' } }
  const both = accessOf(profileOf('a', { status: { accessProviders: [accessOffer], credentialProviders: [old] } }), providers)
  assert.ok(both.kind === 'access' && both.kubeconfig.includes('https://wlc-a.example:6443'))
  const only = accessOf(profileOf('a', { status: { credentialProviders: [old] } }), providers)
  assert.ok(only.kind === 'access' && only.kubeconfig.includes('https://old'))
})

test('what a profile may not say is not taken over: skipped verification, other names, paths of files [6.3]', () => {
  const cluster = {
    server: 'https://a',
    'insecure-skip-tls-verify': true,
    'tls-server-name': 'evil',
    'certificate-authority': '/etc/shadow',
  }
  const access = accessOf(profileOf('a', { status: { accessProviders: [{ name: 'ocm', cluster }] } }), file())
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
    troubleOf(execOf(profileOf('a'), parseProviderFile('{"providers":[{"name":"ocm"}]}', 'p.json'))),
    /has no execConfig/,
  )
})
