// What RequestCertificate takes and refuses, in AWS's words where they are known.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestCertificateCommand, type RequestCertificateCommandInput } from '@aws-sdk/client-acm'
import { type Clients, clients, refusal } from './clients.ts'

function request({ acm }: Clients, input: Partial<RequestCertificateCommandInput>): Promise<unknown> {
  return acm.send(new RequestCertificateCommand({ DomainName: 'example.com', ValidationMethod: 'DNS', ...input }))
}

test('an option for a name that is not in the request is refused, and for a name of the request in any case it is taken', async () => {
  const world = clients()
  const option = (DomainName: string): Promise<unknown> =>
    request(world, {
      ValidationMethod: 'EMAIL',
      SubjectAlternativeNames: ['*.example.com'],
      DomainValidationOptions: [{ DomainName, ValidationDomain: 'example.com' }],
    })
  await option('*.EXAMPLE.com')
  assert.deepEqual(await refusal(option('www.example.com')), {
    code: 'InvalidDomainValidationOptionsException',
    status: 400,
    message: 'The domain validation option for www.example.com is for no domain name of the request.',
  })
})

test('lists that are empty or hold a wrong name are printed as AWS prints them', async () => {
  const world = clients()
  const said = async (SubjectAlternativeNames: string[]): Promise<string> =>
    (await refusal(request(world, { SubjectAlternativeNames }))).message
  const about = (list: string): string =>
    `1 validation error detected: Value '${list}' at 'subjectAlternativeNames' failed to satisfy constraint: Member must`
  assert.equal(await said([]), `${about('[]')} have length greater than or equal to 1`)
  const wrong = await said(['www.example.com', 'ccc'])
  assert.ok(
    wrong.startsWith(
      `${about('[www.example.com, ccc]')} satisfy constraint: [Member must have length less than or equal to 253, Member must have length greater than or equal to 1, Member must satisfy regular expression pattern: `,
    ),
    wrong,
  )
  assert.ok((await said([''])).startsWith(`${about('[]')} satisfy constraint: [`))
})

test('key algorithms that are for imported certificates alone are refused in the words of AWS', async () => {
  const world = clients()
  const said = async (KeyAlgorithm: RequestCertificateCommandInput['KeyAlgorithm']): Promise<readonly string[]> => {
    const { code, message } = await refusal(request(world, { KeyAlgorithm }))
    return [code, message]
  }
  for (const algorithm of ['RSA_1024', 'RSA_3072', 'EC_secp521r1'] as const)
    assert.deepEqual(await said(algorithm), [
      'ValidationException',
      `Encryption Algorithm ${algorithm} is not supported in us-east-1 region`,
    ])
  assert.equal((await said('RSA_4096'))[1], 'Encryption Algorithm RSA_4096 is not supported in 123456789012 region')
  for (const algorithm of ['RSA_2048', 'EC_prime256v1', 'EC_secp384r1'] as const)
    await request(world, { KeyAlgorithm: algorithm })
})
