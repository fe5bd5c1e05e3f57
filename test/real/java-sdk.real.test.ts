// The AWS SDK for Java, unmodified, against the emulator with signatures verified: told nothing but an address, and in a pod not even keys.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { CreateClusterCommand, CreatePodIdentityAssociationCommand } from '@aws-sdk/client-eks'
import { CreateRoleCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam'
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { systemNet } from '#base'
import { createAws, podIdentityAgent } from '#emulator'
import { type Clients, clients } from '../conformance/aws/clients.ts'
import { federation, roleArn, tokenOf } from '../conformance/aws/issuer.ts'
import { javaArguments, javaProgram } from './programs/java-program.ts'

const run = promisify(execFile)
const program = javaProgram('java-aws', 'aws-sdk-java', 'AwsSdk')
const folder = mkdtempSync(join(tmpdir(), 'vouch-java-sdk-'))
after(() => rmSync(folder, { recursive: true, force: true }))

describe('the AWS SDK for Java', { skip: 'skipped' in program ? program.skipped : false }, () => {
  test('it calls every service and does all it wants over http, its uploads signed chunk by chunk [#2]', async () => {
    const aws = createAws({ signatures: 'verify' })
    try {
      const { port } = await aws.listen()
      const said = await java(['everything'], { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`, ...keysOf(aws) })
      assert.deepEqual(bodiesOf(said), [...Array(4).fill('STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER'), 'HASHED'])
      assert.deepEqual(aws.unimplemented(), {})
      const services = new Set(aws.calls.all().map(call => call.service))
      assert.deepEqual([...services].sort(), ['acm', 'eks', 'iam', 'route53', 's3', 'sts'])
    } finally {
      await aws.close()
    }
  })

  test('over https its uploads come in chunks that only their trailing checksum vouches for [#2]', async () => {
    const aws = createAws({ signatures: 'verify' })
    try {
      const { port } = await aws.listen({ tls: true })
      const trust = trustStore(aws.ca)
      const said = await java(['objects'], { AWS_ENDPOINT_URL: `https://127.0.0.1:${port}`, ...keysOf(aws) }, trust)
      assert.deepEqual(bodiesOf(said), [...Array(4).fill('STREAMING-UNSIGNED-PAYLOAD-TRAILER'), 'UNSIGNED-PAYLOAD'])
      assert.deepEqual(aws.unimplemented(), {})
    } finally {
      await aws.close()
    }
  })

  test('in a pod with a web identity it finds the token by itself and may do what the role may [#42]', async () => {
    const world = clients()
    try {
      await federation(world)
      await reader(world, 'app')
      const token = join(folder, 'web-identity-token')
      writeFileSync(token, tokenOf(world))
      const { port } = await world.aws.listen()
      const said = await java(['pod', 'data'], {
        AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
        AWS_ROLE_ARN: roleArn,
        AWS_ROLE_SESSION_NAME: 'java',
        AWS_WEB_IDENTITY_TOKEN_FILE: token,
      })
      assert.match(said, /^as arn:aws:sts::123456789012:assumed-role\/app\/java$/m)
    } finally {
      await world.aws.close()
    }
  })

  test('it asks the agent of its node and may do what the associated role may [#109]', async () => {
    const world = clients()
    const agent = await systemNet.listen({ host: '127.0.0.1', port: 0 }, podIdentityAgent(world.aws, { name: 'c1' }))
    try {
      await associated(world)
      const token = join(folder, 'pod-identity-token')
      const subject = { cluster: 'c1', namespace: 'team-a', serviceAccount: 'app', audience: 'pods.eks.amazonaws.com' }
      writeFileSync(token, world.aws.control('eks', 'signToken', { ...subject, podName: 'app-1', podUid: '1' }) as string)
      const { port } = await world.aws.listen()
      const said = await java(['pod', 'data'], {
        AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${agent.port}/v1/credentials`,
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: token,
      })
      assert.match(said, /^as arn:aws:sts::123456789012:assumed-role\/pod-reader\/eks-c1-app-1-/m)
    } finally {
      await agent.close()
      await world.aws.close()
    }
  })
})

/** Nothing of the machine's own configuration leaks in. */
async function java(
  asked: readonly string[],
  environment: Record<string, string>,
  options: readonly string[] = [],
): Promise<string> {
  const { path } = program as { path: string }
  const { stdout } = await run('java', [...options, `-Duser.home=${folder}`, ...javaArguments(path, 'AwsSdk'), ...asked], {
    timeout: 120_000,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      LC_ALL: 'C.UTF-8',
      AWS_REGION: 'us-east-1',
      AWS_EC2_METADATA_DISABLED: 'true',
      ...environment,
    },
  })
  assert.match(stdout, /all done\n$/)
  return stdout
}

function keysOf(aws: Clients['aws']): Record<string, string> {
  const { accessKeyId, secretAccessKey } = aws.adminCredentials()
  return { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
}

const bodiesOf = (said: string): readonly string[] =>
  said.split('\n').flatMap(line => (line.startsWith('body ') ? [line.slice('body '.length)] : []))

/** Java takes a CA from a store of its own kind only. */
function trustStore(ca: string): readonly string[] {
  const [pem, store, password] = [join(folder, 'ca.pem'), join(folder, 'ca.p12'), 'changeit']
  writeFileSync(pem, ca)
  const kind = ['-storetype', 'PKCS12', '-storepass', password, '-keystore', store]
  execFileSync('keytool', ['-importcert', '-noprompt', '-alias', 'ca', '-file', pem, ...kind], { stdio: 'ignore' })
  return [`-Djavax.net.ssl.trustStore=${store}`, `-Djavax.net.ssl.trustStorePassword=${password}`]
}

/** A bucket with one object, and the right to read it for the role. */
async function reader({ s3, iam }: Clients, RoleName: string): Promise<void> {
  await s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  await s3.send(new PutObjectCommand({ Bucket: 'data', Key: 'k', Body: 'v' }))
  const statement = { Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::data/*' }
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
  await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'read', PolicyDocument }))
}

async function associated(world: Clients): Promise<void> {
  const role = async (RoleName: string, service: string): Promise<string> => {
    const statement = { Effect: 'Allow', Principal: { Service: service }, Action: ['sts:AssumeRole', 'sts:TagSession'] }
    const AssumeRolePolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
    return (await world.iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument }))).Role?.Arn ?? ''
  }
  const plane = await role('plane', 'eks.amazonaws.com')
  const resourcesVpcConfig = { subnetIds: ['subnet-1', 'subnet-2'] }
  await world.eks.send(new CreateClusterCommand({ name: 'c1', roleArn: plane, resourcesVpcConfig }))
  const pod = { namespace: 'team-a', serviceAccount: 'app', roleArn: await role('pod-reader', 'pods.eks.amazonaws.com') }
  await world.eks.send(new CreatePodIdentityAssociationCommand({ clusterName: 'c1', ...pod }))
  await reader(world, 'pod-reader')
}
