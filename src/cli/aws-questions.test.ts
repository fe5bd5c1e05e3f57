import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Command } from 'commander'
import { createAws } from '#emulator'
import { addAwsQuestions } from './aws-questions.ts'

/** What `vouch aws …` prints, asked of an emulator that has called nothing yet. */
async function said(t: TestContext, ...args: readonly string[]): Promise<readonly string[]> {
  const aws = createAws()
  t.after(() => aws.close())
  const { host, port } = await aws.listenControl()
  await aws.handle({ method: 'GET', target: '/?Action=ListRoles&Version=2010-05-08', headers: { host: '127.0.0.1' }, body: null })
  const lines: string[] = []
  t.mock.method(console, 'log', (line: string) => lines.push(line))
  const program = new Command('aws')
  addAwsQuestions(program)
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} })
  const known = args.map(text => (text === 'LAST' ? (aws.calls.last()?.requestId ?? '') : text))
  await program.parseAsync([...known, '--control', `http://${host}:${port}`], { from: 'user' })
  return lines
}

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
