// By which errors of a read a resource is known not to be there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { isAbsence } from './absence.ts'

const error = (code: string, message: string, httpStatus = 400): AwsError =>
  new AwsError({ service: 'madeup', operation: 'DescribeThing', code, message, httpStatus })
const plain = madeUpKind({})
const configured = madeUpKind({
  settings: { errors: { 404: { code: 'ValidationError', messagePrefix: 'No thing ', messageSuffix: ' here' } } },
})
const byCode = madeUpKind({ settings: { errors: { 404: { code: 'ValidationError' } } } })

for (const [what, model, thrown, isGone] of [
  ['no answer of AWS', plain, new Error('thing does not exist'), false],
  ['a code of its class', plain, error('ResourceNotFoundException', 'x', 404), true],
  ['an invalid request that says so in words', plain, error('ValidationException', 'Thing x does not exist'), true],
  ['an invalid request that says something else', plain, error('ValidationException', 'Thing x is too long'), false],
  ['a refusal that uses the words', plain, error('AccessDenied', 'Thing x does not exist', 403), false],
  ['the code of the config', byCode, error('ValidationError', 'anything'), true],
  ['another code than that of the config', byCode, error('OtherError', 'anything'), false],
  ['the code and the words of the config', configured, error('ValidationError', 'No thing x here'), true],
  ['the code and the first words only', configured, error('ValidationError', 'No thing x there'), false],
  ['the code and the last words only', configured, error('ValidationError', 'A thing x here'), false],
] as const)
  test(`${what}: the resource is ${isGone ? 'not there' : 'perhaps there'}`, () => assert.equal(isAbsence(thrown, model), isGone))
