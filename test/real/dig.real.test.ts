// The hosted zones as `dig` shows them: a reader of DNS messages that shares nothing with the writer of ours.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ChangeResourceRecordSetsCommand, CreateHostedZoneCommand, Route53Client, type RRType } from '@aws-sdk/client-route-53'
import { type Aws, createAws, sdkRequestHandler } from '#emulator'

const run = promisify(execFile)
const skip = hasDig() ? false : 'there is no dig here: apt-get install bind9-dnsutils'

function hasDig(): boolean {
  try {
    execFileSync('dig', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** As the zone is written, and as dig shows it where that differs. */
const written: readonly (readonly [name: string, type: RRType, value: string, shown?: string])[] = [
  ['a', 'A', '10.0.0.1'],
  ['a', 'AAAA', '2001:db8::1'],
  ['c', 'CNAME', 'a.example.com', 'a.example.com.'],
  ['m', 'MX', '10 mail.example.com', '10 mail.example.com.'],
  ['t', 'TXT', '"one" "with \\"quotes\\"" "\\344"', '"one" "with \\"quotes\\"" "\\228"'],
  ['s', 'SRV', '1 2 5060 sip.example.com', '1 2 5060 sip.example.com.'],
  ['ca', 'CAA', '128 issuewild "amazon.com; validationmethods=dns"'],
  ['n', 'NAPTR', '100 50 "s" "SIP+D2U" "" _sip._udp.example.com', '100 50 "s" "SIP+D2U" "" _sip._udp.example.com.'],
  ['p', 'PTR', 'a.example.com', 'a.example.com.'],
  ['d', 'DS', '20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D'],
  ['tlsa', 'TLSA', '3 1 1 0D6FCE3353F6E9D0D2C5A5A3C1E7E5B1B0E0C0A0908070605040302010FFEEDD'],
  ['ssh', 'SSHFP', '4 2 123456789ABCDEF67890123456789ABCDEF67890123456789ABCDEF123456789'],
  ['svcb', 'SVCB', '16 svc.example.net. port=8443 ipv4hint=10.0.0.1,10.0.0.2 key667="hello"'],
  ['h', 'HTTPS', '1 . alpn="h2,h3" ipv6hint="2001:db8::1" mandatory="alpn"'],
]

async function emulated(): Promise<Aws> {
  const aws = createAws({ signatures: 'off' })
  const { accessKeyId, secretAccessKey } = aws.adminCredentials()
  const route53 = new Route53Client({
    region: 'us-east-1',
    requestHandler: sdkRequestHandler(aws.handle),
    credentials: { accessKeyId, secretAccessKey },
  })
  const { HostedZone } = await route53.send(new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: 'one' }))
  const Changes = [...written, ['theirs', 'NS', 'ns.elsewhere.net'] as const].map(([name, Type, Value]) => ({
    Action: 'CREATE' as const,
    ResourceRecordSet: { Name: `${name}.example.com`, Type, TTL: 60, ResourceRecords: [{ Value }] },
  }))
  await route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId: HostedZone?.Id ?? '', ChangeBatch: { Changes } }))
  return aws
}

test('dig reads every record type as it was written, over UDP and over TCP', { skip }, async () => {
  const aws = await emulated()
  try {
    const { port } = await aws.dns.listen()
    const shown = async (name: string, type: string, ...more: readonly string[]): Promise<string> =>
      (await run('dig', ['@127.0.0.1', '-p', String(port), `${name}.example.com`, type, '+short', '+tries=1', ...more])).stdout
    const bare = (text: string): string => text.replace(/[\s"]/g, '').toLowerCase()
    for (const [name, type, value, expected = value] of written) {
      for (const road of ['+notcp', '+tcp']) {
        const answer = await shown(name, type, road)
        const sorted = (text: string): string => (type === 'HTTPS' || type === 'SVCB' ? text.split(/\s+/).sort().join(' ') : text)
        assert.equal(bare(sorted(answer.trim())), bare(sorted(expected)), `${type} ${road}`)
      }
    }
  } finally {
    await aws.close()
  }
})

test('dig sees the authority of an answer, of an absence, and of what is delegated away', { skip }, async () => {
  const aws = await emulated()
  try {
    const { port } = await aws.dns.listen()
    const seen = async (name: string): Promise<string> =>
      (await run('dig', ['@127.0.0.1', '-p', String(port), name, 'A', '+tries=1', '+noall', '+comments', '+authority'])).stdout
    assert.match(await seen('a.example.com'), /status: NOERROR[\s\S]*flags: qr aa rd ra; QUERY: 1, ANSWER: 1, AUTHORITY: 0/)
    const absent = await seen('absent.example.com')
    assert.match(absent, /status: NXDOMAIN[\s\S]*flags: qr aa rd ra; QUERY: 1, ANSWER: 0, AUTHORITY: 1/)
    assert.match(absent, /^example\.com\.\s+900\s+IN\s+SOA\s+ns-/m)
    const away = await seen('www.theirs.example.com')
    assert.match(away, /status: NOERROR[\s\S]*flags: qr rd ra; QUERY: 1, ANSWER: 0, AUTHORITY: 1/)
    assert.match(away, /^theirs\.example\.com\.\s+60\s+IN\s+NS\s+ns\.elsewhere\.net\.$/m)
    assert.match(await seen('a.example.org'), /status: REFUSED/)
  } finally {
    await aws.close()
  }
})
