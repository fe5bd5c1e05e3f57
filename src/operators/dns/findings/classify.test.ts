import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLine, reasonOf } from './classify.ts'
import { sanitize } from './sanitize.ts'
import { judge } from './scan.ts'

const clock = { now: () => 0 }

test('a line of the operand is read as text and as JSON, and what says nothing of how it goes is left out', () => {
  const denied =
    'records retrieval failed: AccessDenied: User: arn:aws:sts::111122223333:assumed-role/dns/1 is not authorized to perform: route53:ListHostedZones'
  for (const line of [`time="2026" level=error msg="${denied}"`, `{"level":"error","msg":"${denied}","time":"2026"}`])
    assert.deepEqual(readLine(line), {
      kind: 'error',
      reason: 'AccessDenied',
      message: 'assumed role is not allowed to perform route53:ListHostedZones',
    })
  const base =
    'AccessDenied: User: arn:aws:iam::222222222222:user/dns is not authorized to perform: sts:AssumeRole on resource: x'
  assert.equal(readLine(`level=error msg="${base}"`)?.message, 'the credentials are not allowed to perform sts:AssumeRole')
  assert.equal(readLine('level=info msg="2 record(s) were successfully updated" zoneName=x')?.kind, 'good')
  assert.equal(readLine('level=info msg="2 record(s) in zone x [Id: Z1] were successfully updated"')?.kind, 'good')
  assert.equal(readLine('time="2026" level=debug msg="Considering zone: x"'), undefined)
  assert.equal(readLine('time="2026" level=info msg="All records are already up to date"')?.kind, 'good')
})

test('what a line means is decided by the first row that fits', () => {
  const meanings: Readonly<Record<string, string>> = {
    'InvalidClientTokenId: The security token is invalid': 'AuthenticationFailed',
    'NoSuchHostedZone: No hosted zone found': 'NoSuchHostedZone',
    'InvalidChangeBatch: [DomainLabelTooLong (Domain label is too long)]': 'DomainLabelTooLong',
    'InvalidChangeBatch: [Tried to create]': 'InvalidChangeBatch',
    'Throttling: Rate exceeded': 'Throttled',
    'dial tcp: lookup route53.amazonaws.com: no such host': 'ProviderUnreachable',
    'flag parsing error: unknown long flag --foo': 'InvalidSpec',
    'something else': 'Other',
  }
  for (const [text, reason] of Object.entries(meanings)) assert.equal(reasonOf(text), reason, text)
})

test('nothing that tells strangers about an account is passed on [#87]', () => {
  const text =
    'arn:aws:iam::111122223333:role/dns 111122223333 AKIAIOSFODNN7EXAMPLE ASIAIOSFODNN7EXAMPLE request id: 0a1b2c3d-0000-4000-8000-0123456789ab'
  assert.equal(sanitize(text), '[ARN] [ACCOUNT_ID] [ACCESS_KEY] [ACCESS_KEY] request id: [REQUEST_ID]')
})

test('an error holds until a later line says that records are well', () => {
  const error = 'level=error msg="Throttling: Rate exceeded"'
  const good = 'level=info msg="All records are already up to date"'
  assert.equal(judge([good, error, error], clock)?.condition.reason, 'Throttled')
  assert.equal(judge([good, error, error], clock)?.lastError?.count, 2)
  assert.equal(judge([error, good], clock)?.condition.status, 'True')
  assert.equal(judge(['level=debug msg="x"'], clock), undefined)
})

test('who may not do it is told by what the text says of it', () => {
  const denied = (who: string, action: string): string | undefined =>
    readLine(`level=error msg="AccessDenied: User: arn:aws:${who} is not authorized to perform: ${action} on resource: x"`)
      ?.message
  const session = 'sts::111122223333:assumed-role/dns/1'
  assert.equal(
    denied('iam::111122223333:user/dns', 'route53:ListHostedZones'),
    'the credentials are not allowed to perform route53:ListHostedZones',
  )
  assert.equal(denied(session, 'route53:ListHostedZones'), 'assumed role is not allowed to perform route53:ListHostedZones')
  assert.equal(denied(session, 'sts:AssumeRole'), 'the credentials are not allowed to perform sts:AssumeRole')
})

test('a line without a message is told as it is, and a long one by its first five hundred characters', () => {
  assert.deepEqual(readLine('level=fatal something odd'), {
    kind: 'fatal',
    reason: 'Other',
    message: 'level=fatal something odd',
  })
  assert.equal(readLine('panic: something odd'), undefined)
  assert.equal(readLine(`level=error msg="${'x'.repeat(600)}"`)?.message, 'x'.repeat(500))
})
