// An export, call by call: whose key it is, into which Secret it goes, and what its failure means.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { AwsError } from '#aws'
import type { KubeObject } from '#kube'
import { type ActContext, type ObjectAction, Trouble } from '#runtime'
import { tagKeys } from '../api/labels.ts'
import { CircuitOpen } from '../aws/breaker.ts'
import { arn, certSeen } from '../testing/cert-seen.fixture.ts'
import { type ExportTools, exportAct } from './act.ts'

const claim = certSeen().claim ?? assert.fail()
const marks = { [tagKeys.managedBy]: 'cert-operator', [tagKeys.cluster]: 'here', [tagKeys.uid]: 'uid-1' }
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const failedMs = 300_000

interface World {
  readonly tags?: Readonly<Record<string, string>> | Error
  readonly answer?: object | Error
}

interface Exported {
  readonly result: unknown
  readonly log: readonly string[]
  readonly secret: (KubeObject & { readonly data?: Readonly<Record<string, string>>; readonly type?: string }) | undefined
}

/** As ACM answers it: the key under the passphrase that it was sent. */
async function exported({
  tags = marks,
  answer = { Certificate: 'one', CertificateChain: 'two\n' },
}: World = {}): Promise<Exported> {
  const log: string[] = []
  const written: ObjectAction[] = []
  const tools: ExportTools = {
    cloud: {
      marks: () => (tags instanceof Error ? Promise.reject(tags) : Promise.resolve(tags)),
      call: ({ operation, input }, _, beforeTry) => {
        beforeTry?.()
        log.push(operation)
        const { CertificateArn, Passphrase } = input as { CertificateArn: string; Passphrase: Buffer }
        assert.equal(CertificateArn, arn)
        const passphrase = Passphrase.toString()
        assert.equal(Buffer.from(passphrase, 'base64url').length, 32)
        const PrivateKey = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString()
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ PrivateKey, ...answer })
      },
    },
    clusterId: 'here',
    random: { bytes: length => new Uint8Array(length).fill(7) },
    failedMs,
  }
  const context = {
    signal: new AbortController().signal,
    checkFence: () => void log.push('fence'),
    carryOut: async (action: ObjectAction) => void written.push(action),
  } as unknown as ActContext
  const action = { kind: 'act:export', summary: 'x', claim, arn, serial: 's1', secretName: 'tls' } as const
  const result = await exportAct(tools)(action, context).catch((error: unknown) => error)
  const [apply] = written
  return { result, log, secret: apply?.kind === 'apply' ? (apply.object as NonNullable<Exported['secret']>) : undefined }
}

test('certificate, chain and opened key stand in a Secret that says which they are, and whose [16.6]', async () => {
  const { result, log, secret } = await exported()
  assert.deepEqual([result, log], [{ changed: true }, ['fence', 'ExportCertificate']])
  const { metadata, data = {}, type } = secret ?? assert.fail()
  assert.deepEqual([metadata.namespace, metadata.name, type], ['team', 'tls', 'kubernetes.io/tls'])
  assert.deepEqual(metadata.annotations, {
    'acm.ops.example.dev/certificate-arn': arn,
    'acm.ops.example.dev/serial': 's1',
  })
  assert.deepEqual(
    metadata.ownerReferences?.map(({ uid }) => uid),
    ['uid-1'],
  )
  const text = (name: string): string => Buffer.from(data[name] ?? '', 'base64').toString()
  assert.equal(text('tls.crt'), 'one\ntwo\n')
  assert.equal(text('tls.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
})

test('a certificate without a chain stands alone [16.6]', async () => {
  const { secret } = await exported({ answer: { Certificate: 'one\n' } })
  assert.equal(Buffer.from(secret?.data?.['tls.crt'] ?? '', 'base64').toString(), 'one\n')
})

for (const [what, tags] of [
  ['of another object', { ...marks, [tagKeys.uid]: 'uid-2' }],
  ['without marks', {}],
] as const)
  test(`the key of a certificate ${what} is not asked for [16.6, S6]`, async () => {
    const { result, log, secret } = await exported({ tags })
    assert.ok(result instanceof Trouble)
    assert.deepEqual([result.kind, result.reason, result.retryAfterMs], ['wait', 'Conflict', failedMs])
    assert.deepEqual([log, secret], [[], undefined])
  })

const awsError = (code: string): AwsError => new AwsError({ service: 'ACM', operation: 'ExportCertificate', code, message: 'no' })
for (const [what, answer, kind, reason, afterMs] of [
  ['ValidationException', awsError('ValidationException'), 'wait', 'NotExportable', failedMs],
  ['AccessDeniedException', awsError('AccessDeniedException'), 'wait', 'AccessDenied', failedMs],
  ['RequestInProgressException', awsError('RequestInProgressException'), 'wait', 'AWSUnavailable', failedMs],
  ['an open breaker', new CircuitOpen('acm', 7_000), 'wait', 'AWSUnavailable', 7_000],
  ['ThrottlingException', awsError('ThrottlingException'), 'backoff', 'Throttled', undefined],
  ['a key that cannot be opened', { PrivateKey: 'odd' }, 'backoff', 'Malformed', undefined],
  ['no key', { PrivateKey: undefined }, 'backoff', 'Malformed', undefined],
] as const)
  test(`an export that is answered by ${what} is ${reason} [16.6]`, async () => {
    const { result, secret } = await exported({ answer })
    assert.ok(result instanceof Trouble)
    assert.deepEqual([result.kind, result.reason, result.retryAfterMs, secret], [kind, reason, afterMs, undefined])
  })

test('what another part says of its trouble is left as it is, and a defect stays one', async () => {
  const [trouble, defect] = [new Trouble({ kind: 'soon', reason: 'NotLeader', message: 'x' }), new TypeError('x')]
  assert.equal((await exported({ answer: trouble })).result, trouble)
  assert.equal((await exported({ answer: defect })).result, defect)
})
