import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Command } from 'commander'
import { createAws } from '#emulator'
import { addAwsQuestions } from './aws-questions.ts'

/** What `vouch aws …` prints, asked of an emulator that has called nothing yet. */
async function said(t: TestContext, ...args: readonly string[]): Promise<readonly string[]> {
  const { lines } = await answered(t, args)
  return lines
}

interface Answered {
  readonly lines: readonly string[]
  readonly errors: readonly string[]
}

/** Without `env` the control page is named by its flag, with it by the environment. */
async function answered(t: TestContext, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Answered> {
  const aws = createAws()
  t.after(() => aws.close())
  const about = { owner: 'a test', endpoint: 'http://127.0.0.1:1' }
  const { host, port } = await aws.listenControl({ about })
  await aws.handle({ method: 'GET', target: '/?Action=ListRoles&Version=2010-05-08', headers: { host: '127.0.0.1' }, body: null })
  const lines: string[] = []
  const errors: string[] = []
  t.mock.method(console, 'log', (line: string) => lines.push(line))
  t.mock.method(console, 'error', (line: string) => errors.push(line))
  const program = new Command('aws')
  addAwsQuestions(program)
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: text => void errors.push(text) })
  const known = args.map(text => (text === 'LAST' ? (aws.calls.last()?.requestId ?? '') : text))
  const control = `http://${host}:${port}`
  if (env !== undefined) setForTest(t, { VOUCH_AWS_CONTROL: control, ...env })
  await program.parseAsync(env === undefined ? [...known, '--control', control] : known, { from: 'user' })
  return { lines, errors }
}

function setForTest(t: TestContext, env: Readonly<Record<string, string>>): void {
  const before = { ...process.env }
  Object.assign(process.env, env)
  t.after(() => {
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  })
}

test('every answer says whose emulator gave it, beside the answer', async t => {
  const { errors } = await answered(t, ['explain', 'LAST'])
  assert.deepEqual(errors, ['(answered by a test, whose AWS is at http://127.0.0.1:1)'])
})

test('the control page of the environment is asked where none is named', async t => {
  const { lines } = await answered(t, ['explain'], { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' })
  assert.match(lines[0] ?? '', /^denied: iam ListRoles/)
})

test('an emulator that is not the one of AWS_ENDPOINT_URL is not asked unless it is named', async t => {
  const asked = answered(t, ['explain'], { AWS_ENDPOINT_URL: 'http://127.0.0.1:2' })
  await assert.rejects(
    asked,
    /is a test, whose AWS is at http:\/\/127\.0\.0\.1:1; your AWS_ENDPOINT_URL is .*:2: name .* by --control/,
  )
})

test('aws explain prints the links of the call', async t => {
  const [first, ...links] = await said(t, 'explain', 'LAST')
  assert.match(first ?? '', /^denied: iam ListRoles by unknown, \S+Z, request [0-9a-f-]{36}$/)
  assert.deepEqual(links, ['  BROKEN  answer: MissingAuthenticationToken: Request is missing Authentication Token'])
})

test('aws explain without a request id takes the latest call that was refused', async t => {
  const [first] = await said(t, 'explain')
  assert.match(first ?? '', /^denied: iam ListRoles by unknown/)
})

test('aws can prints the link that is missing, and its exit code says no', async t => {
  const before = process.exitCode
  t.after(() => {
    process.exitCode = before
  })
  const roleArn = 'arn:aws:iam::123456789012:role/r'
  const pod = ['--namespace', 'team', '--service-account', 'app']
  assert.deepEqual(await said(t, 'can', 's3:GetObject', ...pod, '--issuer', 'https://oidc.example', '--role-arn', roleArn), [
    'denied: s3:GetObject on * for team/app',
    '  BROKEN  OIDC provider: account 123456789012 has no provider whose URL is exactly https://oidc.example',
  ])
  assert.equal(process.exitCode, 1)
  assert.deepEqual((await said(t, 'can', 's3:GetObject', 'arn:aws:s3:::b/k', ...pod, '--cluster', 'c')).slice(1), [
    '  BROKEN  cluster: no cluster c in account 123456789012, us-east-1',
  ])
})

test('aws can says what it lacks to answer', async t => {
  await assert.rejects(
    said(t, 'can', 's3:GetObject', '--namespace', 'team', '--service-account', 'app'),
    /--issuer and --role-arn, or --cluster/,
  )
})
