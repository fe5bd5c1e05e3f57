// Whoever may write the Secret that leads into a guest need not be trusted with this process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRecord, readJson } from '#base'
import type { PlatformSecret } from '../build/authority.ts'
import { readGuestAccess } from './access.ts'

const cluster = { server: 'https://kube-apiserver:6443', 'certificate-authority-data': Buffer.from('PEM').toString('base64') }

function secretWith(user: object, more: object = {}): PlatformSecret {
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { ...cluster, ...more } }],
    users: [{ name: 'u', user }],
  })
  return holding({ kubeconfig })
}

function holding(texts: Readonly<Record<string, string>>): PlatformSecret {
  const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]))
  return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'clusters-blue', name: 'way-in' }, data }
}

const plugin = { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh', interactiveMode: 'Never' }
const token = { token: 'of-an-admin' }
const refused: readonly (readonly [what: string, secret: PlatformSecret, why: string])[] = [
  ['a program', secretWith({ exec: plugin }), 'its exec would run a program or read a file'],
  ['a token in a file', secretWith({ tokenFile: '/etc/token' }), 'its tokenFile would run a program or read a file'],
  ['a key in a file', secretWith({ ...token, 'client-key': '/key' }), 'its keyFile would run a program or read a file'],
  [
    'an authority in a file',
    secretWith(token, { 'certificate-authority': '/ca' }),
    'its certificate-authority would read a file',
  ],
  ['blind trust', secretWith(token, { 'insecure-skip-tls-verify': true }), 'it trusts anybody who answers'],
  [
    'an address that nobody vouches for',
    secretWith(token, { server: 'http://169.254.169.254' }),
    'its server is no address that begins with https',
  ],
  ['no kubeconfig', holding({}), 'it has no key kubeconfig'],
  ['something else', holding({ kubeconfig: 'a: [' }), 'it is no kubeconfig'],
]

for (const [what, secret, why] of refused)
  test(`a way into a guest with ${what} is not taken, and the next step is told`, () => {
    const next = 'give it a kubeconfig with the address of the guest and a certificate or token'
    const expected = { kind: 'unusable', message: `Secret way-in leads nowhere: ${why}; ${next}` }
    assert.deepEqual(readGuestAccess(secret, 'clusters-blue'), expected)
  })

test('the name of a Service is that of the control plane’s namespace, and other addresses stay', () => {
  const serverOf = (server: string): unknown => {
    const access = readGuestAccess(secretWith(token, { server }), 'clusters-blue')
    assert.ok(access.kind === 'access')
    const config = readJson(access.kubeconfig)
    const [first] = isRecord(config) && Array.isArray(config['clusters']) ? config['clusters'] : []
    return isRecord(first) && isRecord(first['cluster']) ? first['cluster']['server'] : undefined
  }
  assert.deepEqual(['https://kube-apiserver:6443', 'https://api.example.com:6443', 'https://localhost:6443'].map(serverOf), [
    'https://kube-apiserver.clusters-blue.svc:6443',
    'https://api.example.com:6443',
    'https://localhost:6443',
  ])
})

test('a token that changes is another way in', () => {
  const fingerprint = (user: object): string => {
    const access = readGuestAccess(secretWith(user), 'clusters-blue')
    assert.ok(access.kind === 'access')
    return access.fingerprint
  }
  assert.equal(fingerprint(token), fingerprint(token))
  assert.notEqual(fingerprint(token), fingerprint({ token: 'another' }))
})
