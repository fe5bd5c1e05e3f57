import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError, parseAccountId } from '#aws'
import type { AwsClient, AwsClients } from '#aws/client'
import { type ActContext, Trouble } from '#runtime'
import { awsAction } from '../decide/actions.ts'
import { OwnCalls } from '../drift/own-calls.ts'
import type { PlannedCall } from '../kinds/deviation.ts'
import { deviationOf } from '../kinds/deviations.ts'
import { Memory } from '../memory.ts'
import { kindModel } from '../model/kind-model.ts'
import { settingsOf } from '../options.ts'
import { shippedService } from '../services/shipped.ts'
import { actOf } from './act.ts'

const { service } = shippedService('s3')
const kind = service.kinds['Bucket']
if (kind === undefined) throw new Error('no Bucket is shipped')
const model = kindModel(service, kind)
const home = { account: parseAccountId('111122223333'), partition: 'aws', region: 'eu-west-1' }

function act(
  call: PlannedCall,
  send: AwsClient['send'] | (() => Promise<unknown>),
  checkFence = (): void => {},
): Promise<unknown> {
  const carryOut = actOf({
    model,
    deviation: deviationOf(model.id),
    settings: settingsOf({ home, services: ['s3'] } as never),
    aws: { for: () => ({ model: service.model, send }) } as unknown as AwsClients,
    memory: new Memory(),
    random: undefined,
    ownCalls: new OwnCalls(true),
  })
  return carryOut(awsAction(model, home, call), { signal: new AbortController().signal, checkFence } as unknown as ActContext)
}

const emptying: PlannedCall = { operation: 'DeleteObjects', input: {}, verb: 'DELETE' }

test('a batch that succeeds as a whole but lists what it refused is trouble, and says what was refused', async () => {
  const answer = { output: { Errors: [{ Code: 'AccessDenied', Key: 'locked' }] }, requestId: undefined }
  await assert.rejects(
    act(emptying, async () => answer),
    error => error instanceof Trouble && error.kind === 'backoff' && /DeleteObjects: AccessDenied, locked/.test(error.message),
  )
  assert.deepEqual(await act(emptying, async () => ({ output: { Errors: [] }, requestId: undefined })), {
    changed: true,
    value: { Errors: [] },
  })
})

function failing(code: string): (call: PlannedCall) => Promise<unknown> {
  const error = new AwsError({ service: 's3', operation: 'any', code, message: code, httpStatus: 400 })
  return call => act(call, () => Promise.reject(error)).catch((caught: unknown) => (caught as Trouble).kind)
}

test('a deletion is never given up, whatever AWS calls wrong about it', async () => {
  const invalid = failing('MalformedXML')
  assert.equal(await invalid({ operation: 'PutBucketTagging', input: {}, verb: 'UPDATE' }), 'stop')
  assert.equal(await invalid({ operation: 'DeleteBucket', input: {}, verb: 'DELETE' }), 'backoff')
})

test('what is gone is deleted', async () => {
  assert.deepEqual(await failing('NoSuchBucket')({ operation: 'DeleteBucket', input: {}, verb: 'DELETE' }), { changed: false })
})

test('found by simulation: a call that is tried again after a pause asks first whether we still lead [S7]', async () => {
  let leads = true
  const send: AwsClient['send'] = async (_operation, _input, options) => {
    options?.beforeTry?.()
    leads = false
    options?.beforeTry?.()
    throw new Error('the second try went out')
  }
  const checkFence = (): void => {
    if (!leads) throw new Error('the lease is lost')
  }
  await assert.rejects(act({ operation: 'PutBucketTagging', input: {}, verb: 'UPDATE' }, send, checkFence), /the lease is lost/)
})
