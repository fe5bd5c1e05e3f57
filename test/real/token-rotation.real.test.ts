// Cases 194 and 195 on kube-apiserver, which takes its keys and issuers as flags: each turn is a restart over the same etcd. Case 212, the
// same seed twice, cannot be told to it: its uids, keys and names come from the system's randomness, its times from the system's clock.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { obtainKubernetes } from '../../scripts/kubernetes.ts'
import { changeIssuer, type Rotating, rotateKey } from '../../src/apiserver/tokens/rotation.fixture.ts'
import { textOf } from '../conformance/apiserver/session.ts'
import { type ControlPlane, type Etcd, startControlPlane, startEtcd } from './control-plane.ts'

const obtained = await obtainKubernetes()
const account = '/api/v1/namespaces/default/serviceaccounts'

interface Settings {
  /** Of PEM files; the first is the one that was there from the start. */
  readonly keys: readonly string[]
  readonly signing: string
  readonly issuers: readonly string[]
}

describe('signing keys and issuers of kube-apiserver', { skip: 'skipped' in obtained ? obtained.skipped : false }, () => {
  let folder: string
  let etcd: Etcd
  let plane: ControlPlane | undefined
  let settings: Settings

  before(async () => {
    if ('skipped' in obtained) return
    folder = await mkdtemp(join(tmpdir(), 'vouch-rotation-'))
    etcd = await startEtcd(obtained.programs, false)
    for (const name of ['old', 'fresh']) {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      writeFileSync(join(folder, name), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
    }
  })
  after(async () => {
    await plane?.stop()
    await etcd?.stop()
    if (folder !== undefined) await rm(folder, { recursive: true })
  })

  const original = (): Settings => ({
    keys: [join(folder, 'old')],
    signing: join(folder, 'old'),
    issuers: ['https://kubernetes.default.svc.cluster.local'],
  })

  async function restart(change: Partial<Settings>): Promise<void> {
    await plane?.stop()
    settings = { ...settings, ...change }
    const flags = [
      ...settings.keys.map(path => `--service-account-key-file=${path}`),
      ...settings.issuers.map(issuer => `--service-account-issuer=${issuer}`),
      `--service-account-signing-key-file=${settings.signing}`,
      '--api-audiences=everybody',
    ]
    plane = await startControlPlane({ etcd, prefix: '/rotation', serviceAccounts: flags })
  }

  async function ask(method: string, target: string, body?: object, token?: string): Promise<{ status: number; body: unknown }> {
    assert.ok(plane)
    const exchange = token === undefined ? plane.exchange : plane.anonymous
    const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body))
    const reply = await exchange({ method, target, headers, body: bytes })
    return { status: reply.status, body: JSON.parse(await textOf(reply.body)) }
  }

  const rotating: Rotating = {
    token: async () => {
      const { body } = await ask('POST', `${account}/default/token`, { apiVersion: 'authentication.k8s.io/v1', spec: {} })
      return (body as { status: { token: string } }).status.token
    },
    statusOf: async token => (await ask('GET', '/api', undefined, token)).status,
    keys: async () => ((await ask('GET', '/openid/v1/jwks')).body as { keys: { kid: string }[] }).keys.map(({ kid }) => kid),
    issuer: async () => ((await ask('GET', '/.well-known/openid-configuration')).body as { issuer: string }).issuer,
    publish: () => restart({ keys: ['old', 'fresh'].map(name => join(folder, name)) }),
    activate: () => restart({ signing: join(folder, 'fresh') }),
    retire: () => restart({ keys: [join(folder, 'fresh')] }),
    setIssuers: issuers => restart({ issuers }),
  }

  for (const [title, story] of [
    ['a new signing key leaves old tokens valid until the old key is dropped [#194]', rotateKey],
    [
      'a new issuer signs while tokens of the old one are accepted, and the discovery document names the new [#195]',
      changeIssuer,
    ],
  ] as const)
    it(title, async () => {
      settings = original()
      await restart({})
      // Nobody makes it here: there are no controllers. The second story finds it.
      await ask('POST', account, { metadata: { name: 'default' } })
      await story(rotating)
    })
})
