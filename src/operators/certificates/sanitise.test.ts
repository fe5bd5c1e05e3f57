import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sanitise } from './sanitise.ts'

const rows: readonly (readonly [text: string, clean: string])[] = [
  ['role arn:aws:iam::111122223333:role/x, again', 'role [ARN], again'],
  ['"arn:aws-us-gov:acm:us-gov-west-1:111122223333:certificate/1"', '"[ARN]"'],
  ['arn:aws:s3:::bucket gone', '[ARN] gone'],
  ['arn:aws-iso-b:acm:::x)', '[ARN])'],
  ['account 111122223333 is full', 'account [ACCOUNT_ID] is full'],
  ['number 1111222233334 and 11112222333', 'number 1111222233334 and 11112222333'],
  ['key AKIAABCDEFGHIJKLMNOP', 'key [ACCESS_KEY]'],
  ['failed, request id: 0b4ae0e2-66d3-4a7a-9b5e-1234567890ab', 'failed, request id: [REQUEST_ID]'],
  ['sessionName=cert-operator-a externalId=abc token=xyz', 'sessionName=[REDACTED] externalId=[REDACTED] token=[REDACTED]'],
]

for (const [text, clean] of rows)
  test(`what leaves the process is clean, and cleaning it again changes nothing: ${text.slice(0, 30)} [12.1, #110, #111, #112]`, () => {
    assert.equal(sanitise(text), clean)
    assert.equal(sanitise(clean), clean)
  })
