// What a refusal is and what decides nothing; what IAM is asked; what a file is good for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { type BaseIdentity, baseCredentials } from './base-credentials.ts'
import { refusalOf, Undecided, wordsOf } from './refusal.ts'
import { mayChange } from './simulate.ts'

const refused = (code: string, httpStatus: number | undefined): AwsError =>
  new AwsError({ service: 'sts', operation: 'AssumeRole', code, message: 'no', httpStatus } as never)

for (const [what, error, patience] of [
  ['that names a right', refused('AccessDenied', 403), undefined],
  ['of the last kind that is one', refused('Odd', 499), undefined],
  ['of a server that fails', refused('InternalFailure', 500), 'AWS asks for patience'],
  ['of a service that is not there', refused('ServiceUnavailable', 503), 'AWS asks for patience'],
  ['without a status', refused('AccessDenied', undefined), 'AWS asks for patience'],
  ['of too many calls', refused('Throttling', 400), 'AWS asks for patience'],
  ['of too many requests', refused('TooManyRequestsException', 429), 'AWS asks for patience'],
  ['of a limit', refused('RequestLimitExceeded', 400), 'AWS asks for patience'],
  ['to slow down', refused('SlowDown', 403), 'AWS asks for patience'],
  ['that never came', new Error('ECONNREFUSED'), 'AWS gave no answer'],
] as const)
  test(`an answer ${what} ${patience === undefined ? 'is a refusal' : 'decides nothing'}`, () => {
    if (patience === undefined) assert.equal(refusalOf(error), error)
    else
      assert.throws(
        () => refusalOf(error),
        (thrown: unknown) => thrown instanceof Undecided && thrown.message === patience && thrown.cause === error,
      )
  })

test('the words of a refusal are for people: without accounts, and five hundred at most', () => {
  assert.equal(wordsOf(new Error('arn:aws:iam::111122223333:role/x of 111122223333')), '[ARN] of [ACCOUNT_ID]')
  assert.equal(wordsOf('x'.repeat(600)), 'x'.repeat(500))
})

async function simulate(principalArn: string, zones: readonly string[], answer: unknown) {
  const asked: unknown[] = []
  const call = async (operation: string, input: object) => {
    asked.push(operation, Reflect.get(input, 'ResourceArns'))
    if (answer instanceof Error) throw answer
    return { EvaluationResults: answer }
  }
  const may = await mayChange({ iam: { call } as never, principalArn, zones, signal: new AbortController().signal })
  return { may, asked }
}

const decisions = (...words: readonly string[]): object => words.map(EvalDecision => ({ EvalDecision }))
const principal = 'arn:aws-cn:iam::111122223333:role/dns'

for (const [what, answer, may] of [
  ['that all is allowed', decisions('allowed', 'allowed'), true],
  ['that one zone is not', decisions('allowed', 'implicitDeny'), false],
  ['that none is', decisions('explicitDeny', 'implicitDeny'), false],
  ['nothing of it', undefined, true],
  ['that nobody may ask', new Error('AccessDenied'), undefined],
] as const)
  test(`where IAM says ${what}, records ${may === undefined ? 'may be changed for all that is known' : may ? 'may be changed' : 'may not be changed'}`, async () =>
    assert.equal((await simulate(principal, ['Z1', 'Z2'], answer)).may, may))

test('IAM is asked about the zones in the partition of the principal, and about all where none is named', async () => {
  const arns = async (arn: string, zones: readonly string[]): Promise<unknown> => (await simulate(arn, zones, [])).asked
  const asked = (...resources: readonly string[]): unknown => ['SimulatePrincipalPolicy', resources]
  assert.deepEqual(
    await arns(principal, ['/hostedzone/Z1', 'Z2']),
    asked('arn:aws-cn:route53:::hostedzone/Z1', 'arn:aws-cn:route53:::hostedzone/Z2'),
  )
  assert.deepEqual(await arns('arn', []), asked('arn:aws:route53:::hostedzone/*'))
})

const role: BaseIdentity = { kind: 'web-identity', roleArn: principal, audience: 'a' }
const keys = 'aws_access_key_id = a\naws_secret_access_key = b\n'

for (const [what, identity, file, kind, message] of [
  ['a pod', { kind: 'pod' }, '', 'inside', undefined],
  ['a role', role, '', 'found', undefined],
  ['a file with keys', { kind: 'file' }, `[default]\n${keys}`, 'found', undefined],
  [
    'a file with a role and a token',
    { kind: 'file' },
    `[default]\nrole_arn = ${principal}\nweb_identity_token_file = /x\n`,
    'found',
    undefined,
  ],
  [
    'a file that takes them from where it runs',
    { kind: 'file' },
    `[default]\nrole_arn = ${principal}\ncredential_source = Environment\n`,
    'inside',
    undefined,
  ],
  ['a file that runs a program', { kind: 'file' }, '[other]\ncredential_process = /bin/x\n', 'inside', undefined],
  [
    'a file with half of its keys',
    { kind: 'file' },
    '[default]\naws_access_key_id = a\n',
    'flawed',
    'the key credentials has no usable profile default',
  ],
  [
    'a file whose role begins with nobody',
    { kind: 'file' },
    `[default]\nrole_arn = ${principal}\nsource_profile = nobody\n`,
    'flawed',
    'the profile default stands on the profile nobody, which has no credentials',
  ],
  ['an empty file', { kind: 'file' }, '', 'flawed', 'the key credentials has no usable profile default'],
  [
    'a file of six others',
    { kind: 'file' },
    ['a', 'b', 'c', 'd', 'e', 'f'].map(name => `[${name}]\n${keys}`).join(''),
    'flawed',
    'the key credentials has no usable profile default; it has a, b, c, d, e, which the operand does not look at',
  ],
  [
    'a file whose default has no keys',
    { kind: 'file' },
    '[default]\nregion = x\n',
    'flawed',
    'the key credentials has no usable profile default',
  ],
] as const)
  test(`the credentials of ${what} are ${kind}`, async () => {
    const options = { identity, file: Buffer.from(file), requestToken: async () => 'token', region: 'us-east-1' }
    const found = await baseCredentials(options as never)
    assert.deepEqual([found.kind, found.kind === 'flawed' ? found.message : undefined], [kind, message])
  })
