// Second opinions on the AWS emulator: moto beside it, asked the same; the AWS CLI and boto3 over HTTP, with signatures verified.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { seededRandom } from '#base'
import { type Aws, createAws } from '#emulator'
import { play } from '../conformance/aws/fuzz/play.ts'
import { fuzzSequence } from '../conformance/aws/fuzz/sequences.ts'
import { disagreements } from '../conformance/aws/vectors/compare.ts'
import { performer, type Reply, type Step } from '../conformance/aws/vectors/perform.ts'
import { type Scenario, scenarios } from '../conformance/aws/vectors/scenarios.ts'
import { type Moto, startMoto } from './programs/moto.ts'
import { type Python, pythonEnvironment } from './programs/python.ts'

const run = promisify(execFile)
const python = await pythonEnvironment()
const skip = 'missing' in python ? python.missing : false

describe('moto agrees with the emulator, but for the rows of the table', { skip }, () => {
  let moto: Moto
  before(async () => {
    moto = await startMoto(python as Python)
  })
  after(async () => {
    await moto.stop()
  })
  for (const scenario of scenarios) {
    test(scenario.name, async () => {
      await moto.reset()
      const aws = createAws({ seed: 'moto', signatures: 'parse' })
      const listener = await aws.listen()
      try {
        const theirs = await replies(scenario, moto.url)
        const ours = await replies(scenario, `http://127.0.0.1:${listener.port}`)
        for (const [index, step] of scenario.steps.entries()) {
          const found = disagreements(step, theirs[index] as Reply, ours[index] as Reply)
          assert.deepEqual(found, [], `step ${index + 1}: ${step.operation} ${JSON.stringify(step.input)}`)
        }
      } finally {
        await aws.close()
      }
    })
  }
})

test('twenty random sequences part from moto nowhere but where the tables say so', { skip }, async () => {
  const moto = await startMoto(python as Python)
  try {
    for (let seed = 1; seed <= 20; seed++) {
      const { parting } = await play(moto, fuzzSequence(seededRandom(seed), 25))
      assert.equal(parting, undefined, `seed ${seed}; npm run fuzz -- aws --seed ${seed} --runs 1 shows the way there`)
    }
  } finally {
    await moto.stop()
  }
})

async function replies(scenario: Scenario, url: string): Promise<readonly Reply[]> {
  const { perform, close } = performer({ url })
  const all: Reply[] = []
  try {
    for (const step of scenario.steps) all.push(await perform(step as Step))
  } finally {
    close()
  }
  return all
}

describe('clients of Python against the emulator', { skip }, () => {
  let aws: Aws
  let url: string
  let tlsUrl: string
  let folder: string
  before(async () => {
    aws = createAws({ seed: 'python', signatures: 'verify' })
    url = `http://127.0.0.1:${(await aws.listen()).port}`
    tlsUrl = `https://localhost:${(await aws.listen({ tls: true })).port}`
    folder = await mkdtemp(join(tmpdir(), 'aws-clients-'))
    await writeFile(join(folder, 'ca.pem'), aws.ca)
  })
  after(async () => {
    await aws.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Nothing of the machine's own configuration may leak in. */
  const environment = (): Record<string, string> => {
    const { accessKeyId, secretAccessKey } = aws.adminCredentials()
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: url,
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_PAGER: '',
    }
  }

  test('boto3 calls every service, uploads over HTTPS in signed chunks, and waits with its waiters [#2]', async () => {
    const { accessKeyId, secretAccessKey } = aws.adminCredentials()
    const script = join(import.meta.dirname, 'boto_calls.py')
    const args = [script, url, tlsUrl, join(folder, 'ca.pem'), accessKeyId, secretAccessKey]
    const { stdout } = await run((python as Python).program('python'), args, { env: environment(), timeout: 120_000 })
    const { presigned, role, block, association, ...rest } = JSON.parse(stdout) as Record<string, unknown>
    assert.deepEqual((role as unknown[]).slice(0, 2), ['arn:aws:iam::123456789012:role/boto', 3600])
    assert.deepEqual(Object.values(block as object), [true, true, true, true])
    assert.deepEqual(association, ['default', 'app', 'arn:aws:iam::123456789012:role/boto'])
    const { tagged, ...others } = rest
    assert.ok((tagged as string[]).some(arn => arn.includes(':podidentityassociation/boto/')))
    assert.deepEqual(others, {
      identity: '123456789012',
      'role twice': ['EntityAlreadyExists', 409],
      'roles by paginator': ['boto'],
      'long name': ['ValidationError', true],
      object: [true, 'gzip', true],
      listed: ['dir/über +.bin'],
      posted: [204, 400, 'hello'],
      'other region': ['SignatureDoesNotMatch', 403],
      part: ['bytes 0-4/5', ['InvalidPartNumber', 416]],
      version: ['InvalidArgument', 400],
      'missing key': ['404', 404],
      location: null,
      records: [
        ['boto.com.', 'NS'],
        ['boto.com.', 'SOA'],
        ['\\052.boto.com.', 'A'],
      ],
      'zone not empty': ['HostedZoneNotEmpty', 400],
      certificate: 'ISSUED',
      'association twice': ['ResourceInUseException', 409],
      tags: { a: '1' },
      'eks auth without association': ['InvalidTokenException', 400],
      organization: 'o-emulator00',
      quota: 1000,
    })
    const target = new URL(presigned as string)
    const answer = await aws.handle({
      method: 'GET',
      target: `${target.pathname}${target.search}`,
      headers: { host: target.host },
      body: null,
    })
    assert.equal(answer.status, 200, Buffer.from(answer.body as Uint8Array).toString())
  })

  /** Commands as people type them, and what must come out: a part of the JSON, or of the error. */
  const commands: readonly (readonly [command: string, expected: RegExp])[] = [
    ['sts get-caller-identity', /"Arn": "arn:aws:iam::123456789012:/],
    [
      'iam create-role --role-name cli --assume-role-policy-document {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}',
      /"RoleName": "cli"/,
    ],
    ['iam get-role --role-name cli', /"sts:AssumeRole"/],
    ['iam get-role --role-name nobody', /NoSuchEntity.*The role with name nobody cannot be found/],
    ['iam attach-role-policy --role-name cli --policy-arn arn:aws:iam::aws:policy/ReadOnlyAccess', /^$/],
    ['iam list-attached-role-policies --role-name cli', /"PolicyName": "ReadOnlyAccess"/],
    ['iam delete-role --role-name cli', /DeleteConflict/],
    ['s3 mb s3://cli-bucket', /make_bucket: cli-bucket/],
    ['s3 cp ca.pem s3://cli-bucket/dir/ca.pem', /upload: \.\/ca\.pem to s3:\/\/cli-bucket\/dir\/ca\.pem/],
    ['s3 ls s3://cli-bucket/dir/', / ca\.pem/],
    ['s3 cp s3://cli-bucket/dir/ca.pem -', /BEGIN CERTIFICATE/],
    ['s3api get-bucket-location --bucket cli-bucket', /"LocationConstraint": null/],
    ['s3 rb s3://cli-bucket', /BucketNotEmpty/],
    ['s3 rb s3://cli-bucket --force', /remove_bucket: cli-bucket/],
    ['route53 create-hosted-zone --name cli.com --caller-reference cli', /"Name": "cli.com."/],
    ['route53 list-hosted-zones', /"CallerReference": "cli"/],
    [
      'acm request-certificate --domain-name cli.com --validation-method DNS',
      /"CertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate\//,
    ],
    ['eks list-clusters', /"clusters": \[/],
    ['eks describe-cluster --name nope', /ResourceNotFoundException.*No cluster found for name: nope/],
    ['organizations list-accounts', /"Id": "111111111111"/],
  ]

  test(`the AWS CLI runs ${commands.length} commands`, async () => {
    for (const [command, expected] of commands) {
      const text = await output(command)
      assert.match(text, expected, `aws ${command}`)
    }
    assert.deepEqual(aws.unimplemented(), {})
  })

  async function output(command: string): Promise<string> {
    try {
      const { stdout } = await run((python as Python).program('aws'), command.split(' '), {
        env: environment(),
        cwd: folder,
        timeout: 60_000,
      })
      return stdout
    } catch (error) {
      const { stderr } = error as { stderr?: string }
      return stderr ?? String(error)
    }
  }
})
