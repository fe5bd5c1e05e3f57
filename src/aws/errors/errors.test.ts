import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyCharacters } from '../limits.ts'
import { AwsError, stableText } from './aws-error.ts'
import { type AwsErrorClass, classifyAwsError, isRetryableClass } from './error-class.ts'

const cases: readonly (readonly [code: string, httpStatus: number | undefined, found: AwsErrorClass])[] = [
  ['NoSuchEntity', 404, 'not-found'],
  ['NoSuchBucket', 404, 'not-found'],
  ['AWS.SimpleQueueService.NonExistentQueue', 400, 'not-found'],
  ['DBInstanceNotFoundFault', 404, 'not-found'],
  ['Throttling', 400, 'throttling'],
  ['ThrottlingException', 400, 'throttling'],
  ['RequestLimitExceeded', 503, 'throttling'],
  ['TooManyRequestsException', 429, 'throttling'],
  ['SlowDown', 503, 'throttling'],
  ['SomethingNew', 429, 'throttling'],
  ['PriorRequestNotComplete', 400, 'throttling'],
  ['LimitExceeded', 409, 'quota'],
  ['LimitExceededException', 400, 'quota'],
  ['VpcLimitExceeded', 400, 'quota'],
  ['AccessDenied', 403, 'denied'],
  ['AccessDeniedException', 400, 'denied'],
  ['UnauthorizedOperation', 403, 'denied'],
  ['InvalidClientTokenId', 403, 'denied'],
  ['ExpiredToken', 403, 'expired'],
  ['ExpiredTokenException', 400, 'expired'],
  ['RequestTimeTooSkewed', 403, 'clock-skew'],
  ['InternalFailure', 500, 'transient'],
  ['Whatever', 503, 'transient'],
  ['DeleteConflict', 409, 'conflict'],
  ['EntityAlreadyExists', 409, 'conflict'],
  ['ResourceInUseException', 409, 'conflict'],
  ['MalformedPolicyDocument', 400, 'invalid'],
  ['InvalidParameterValue', 400, 'invalid'],
  ['Whatever', 404, 'not-found'],
  ['Whatever', 403, 'denied'],
  ['Whatever', 400, 'invalid'],
  ['Whatever', 401, 'denied'],
  ['Whatever', 409, 'conflict'],
  ['Whatever', 410, 'invalid'],
  ['Whatever', 499, 'invalid'],
  ['Whatever', 500, 'transient'],
  ['Whatever', 399, 'other'],
  ['constructor', undefined, 'other'],
]

for (const [code, httpStatus, found] of cases) {
  test(`${code} with status ${httpStatus ?? 'unknown'} is ${found}`, () => {
    assert.equal(classifyAwsError({ code, httpStatus }), found)
  })
}

test('what the model says of an error wins over its name', () => {
  assert.equal(
    classifyAwsError({ code: 'LimitExceededException', httpStatus: 400, modelled: { throttling: true } }),
    'throttling',
  )
  assert.equal(classifyAwsError({ code: 'Odd', httpStatus: 400, modelled: { retryable: true } }), 'transient')
})

test('only throttling, trouble of the service, expiry and clocks are worth the same call again', () => {
  const classes: readonly AwsErrorClass[] = [
    'not-found',
    'conflict',
    'throttling',
    'quota',
    'denied',
    'expired',
    'clock-skew',
    'transient',
    'invalid',
    'other',
  ]
  assert.deepEqual(classes.filter(isRetryableClass), ['throttling', 'expired', 'clock-skew', 'transient'])
})

test('the summary of an error is the same for every try', () => {
  const once = (id: string, time: string) =>
    new AwsError({
      service: 'IAM',
      operation: 'CreateRole',
      code: 'AccessDenied',
      message: `User: arn:aws:iam::123456789012:user/x is not allowed. (Service: Iam; Status Code: 403; Request ID: ${id}) at ${time}`,
      requestId: id,
    }).summary
  const summary = once('0b0e6d2e-1111-4222-8333-444455556666', '2026-01-02T03:04:05Z')
  assert.equal(summary, once('7c0e6d2e-9999-4222-8333-444455556666', '2026-01-02T04:04:05.123Z'))
  assert.equal(summary, 'IAM CreateRole: AccessDenied: User: arn:aws:iam::123456789012:user/x is not allowed. at …')
  assert.ok(stableText('x'.repeat(10_000)).length <= 1024)
})

test('a policy is counted without the white space outside its texts', () => {
  assert.equal(policyCharacters('{ "a" : "b c\\" d" ,\n "e": [ ] }'), '{"a":"b c\\" d","e":[]}'.length)
})
