import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NameError } from '#aws'
import type { AwsClient } from '#aws/client'
import { Account } from './account.ts'

/** Clients of an account that answers these one after the other, and then the last again. */
function accountThat(...answers: readonly (object | Error)[]): { readonly account: Account; readonly asked: () => number } {
  let asked = 0
  const call = (operation: string): Promise<object> => {
    assert.equal(operation, 'GetCallerIdentity')
    const answer = answers[Math.min(asked++, answers.length - 1)]
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? {})
  }
  const clients = { for: () => ({ call }) as unknown as AwsClient }
  return { account: new Account({ clients, region: 'eu-west-1' }), asked: () => asked }
}

const known = { Account: '012345678901', Arn: 'arn:aws-cn:sts::012345678901:assumed-role/r/s' }

test('whose account it is, is asked once', async () => {
  const { account, asked } = accountThat(known)
  assert.deepEqual(await account.identity(), { account: '012345678901', partition: 'aws-cn' })
  await account.identity()
  assert.equal(asked(), 1)
})

test('a question without an answer is asked again', async () => {
  const { account, asked } = accountThat(new Error('no network'), known)
  await assert.rejects(account.identity(), /no network/)
  assert.equal((await account.identity()).account, '012345678901')
  assert.equal(asked(), 2)
})

for (const [what, answer] of [
  ['no account', { Arn: known.Arn }],
  ['an account of eleven digits', { ...known, Account: '12345678901' }],
  ['a pattern', { ...known, Account: '*' }],
] as const)
  test(`an answer with ${what} is none, and becomes part of no name`, async () => {
    const { account, asked } = accountThat(answer, known)
    await assert.rejects(account.identity(), NameError)
    assert.equal((await account.identity()).account, '012345678901')
    assert.equal(asked(), 2)
  })

test('an answer whose ARN cannot be read is of the usual partition', async () => {
  const { account } = accountThat({ ...known, Arn: 'root' })
  assert.deepEqual(await account.identity(), { account: '012345678901', partition: 'aws' })
})

test('the question ends with its signal, and clients are those of the region that is asked for, or of ours', async () => {
  const asked: unknown[] = []
  const signal = new AbortController().signal
  const clients = {
    for: ({ region, model }: { readonly region: string; readonly model: { readonly id: string } }) => {
      asked.push([model.id, region])
      return { call: (_: string, __: object, options: object) => Promise.resolve(void asked.push(options)).then(() => known) }
    },
  }
  const account = new Account({ clients: clients as never, region: 'eu-west-1' })
  await account.identity(signal)
  account.client('iam')
  account.client('s3', 'us-east-2')
  assert.deepEqual(asked, [['STS', 'eu-west-1'], { signal }, ['IAM', 'eu-west-1'], ['S3', 'us-east-2']])
})
