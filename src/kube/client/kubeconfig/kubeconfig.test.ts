import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { memoryFiles } from '#base'
import { KubeconfigError, parseKubeconfig } from './kubeconfig.ts'
import { loadKubeconfig } from './load.ts'
import { proxyFromEnv } from './proxy-env.ts'
import { selectContext } from './select.ts'

const one = `
apiVersion: v1
kind: Config
current-context: first
contexts:
- {name: first, context: {cluster: east, user: jane, namespace: team}}
clusters:
- {name: east, cluster: {server: 'https://east:6443', certificate-authority-data: ${Buffer.from('PEM').toString('base64')}, tls-server-name: api}}
users:
- {name: jane, user: {token: from-one}}
`
const two = `
current-context: second
contexts:
- {name: first, context: {cluster: lost, user: lost}}
- {name: second, context: {cluster: east, user: exec}}
clusters:
- {name: east, cluster: {server: 'https://other', proxy-url: 'http://proxy'}}
users:
- {name: jane, user: {username: from-two}}
- name: exec
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login, args: [a, b], env: [{name: A, value: b}], installHint: get it}
`

test('files of KUBECONFIG are merged: the first that has a name gives all of it, missing files are passed over', async () => {
  const files = memoryFiles({ '/k/one': one, '/k/two': two })
  const loaded = await loadKubeconfig({ files, env: { KUBECONFIG: '/k/none:/k/one:/k/two' } })
  assert.deepEqual(loaded?.files, ['/k/one', '/k/two'])
  const { config } = loaded ?? assert.fail()
  const first = selectContext(config, {}, loaded.files)
  assert.deepEqual(first, {
    context: 'first',
    namespace: 'team',
    cluster: {
      file: '/k/one',
      entry: { server: 'https://east:6443', caData: 'PEM', tlsServerName: 'api', insecureSkipVerify: false },
    },
    user: { file: '/k/one', entry: { token: 'from-one' } },
  })
  const second = selectContext(config, { context: 'second' }, loaded.files)
  assert.deepEqual(
    [second.namespace, second.cluster.file, second.user],
    [
      'default',
      '/k/one',
      {
        file: '/k/two',
        entry: {
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: './login',
            args: ['a', 'b'],
            env: { A: 'b' },
            installHint: 'get it',
            provideClusterInfo: false,
          },
        },
      },
    ],
  )
})

test('without KUBECONFIG it is ~/.kube/config, and no file at all is no error here', async () => {
  assert.equal(
    (await loadKubeconfig({ files: memoryFiles({ '/home/j/.kube/config': one }), env: { HOME: '/home/j' } }))?.files[0],
    '/home/j/.kube/config',
  )
  assert.equal(await loadKubeconfig({ files: memoryFiles(), env: { HOME: '/home/j' } }), undefined)
  await assert.rejects(loadKubeconfig({ files: memoryFiles(), env: {} }, ['/gone']), /kubeconfig \/gone: there is no such file/)
})

const broken: readonly (readonly [string, string, RegExp])[] = [
  [
    'no YAML',
    'a: [',
    /it is no YAML \(unexpected end of the stream within a flow collection \(1:5\)\); mend the file or name another by KUBECONFIG/,
  ],
  ['not a mapping', '- a', /the document should be a mapping/],
  ['another kind', 'kind: Pod', /kind is "Pod", and should be "Config"/],
  ['clusters as a mapping', 'clusters: {a: b}', /clusters should be a list/],
  ['an entry without a name', 'clusters: [{cluster: {server: "https://a"}}]', /clusters\[0\]\.name is missing/],
  [
    'a name twice',
    'clusters: [{name: a, cluster: {server: "https://a"}}, {name: a, cluster: {server: "https://b"}}]',
    /clusters\[1\]\.name is "a", which is there twice/,
  ],
  [
    'a cluster without server',
    'clusters: [{name: a, cluster: {}}]',
    /clusters\[0\]\.cluster\.server is missing: it is the address/,
  ],
  [
    'a server that is no address',
    'clusters: [{name: a, cluster: {server: "localhost:6443"}}]',
    /server is "localhost:6443", which is no address: expected https:\/\/host:port/,
  ],
  [
    'a CA that is no base64',
    'clusters: [{name: a, cluster: {server: "https://a", certificate-authority-data: "@@"}}]',
    /clusters\[0\]\.cluster\.certificate-authority-data is no base64/,
  ],
  [
    'a flag that is text',
    'clusters: [{name: a, cluster: {server: "https://a", insecure-skip-tls-verify: "yes please"}}]',
    /insecure-skip-tls-verify should be true or false/,
  ],
  ['a token that is a number', 'users: [{name: a, user: {token: 7}}]', /users\[0\]\.user\.token should be text/],
  [
    'an old auth provider',
    'users: [{name: a, user: {auth-provider: {name: gcp}}}]',
    /auth-provider is no longer supported.*use an exec plugin/,
  ],
  [
    'an exec plugin of an old version',
    'users: [{name: a, user: {exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}}}]',
    /exec\.apiVersion is "client.authentication.k8s.io\/v1alpha1", and should be one of/,
  ],
  [
    'an exec plugin without command',
    'users: [{name: a, user: {exec: {apiVersion: client.authentication.k8s.io/v1}}}]',
    /users\[0\]\.user\.exec\.command is missing/,
  ],
]
for (const [what, text, message] of broken) {
  test(`a kubeconfig with ${what} is refused with file and key`, () => {
    assert.throws(
      () => parseKubeconfig(text, '/k/config'),
      error => {
        assert.ok(error instanceof KubeconfigError)
        assert.match(error.message, /^kubeconfig \/k\/config: /)
        assert.match(error.message, message)
        return true
      },
    )
  })
}

test('a context, cluster or user that is not there is named, with those that are', () => {
  const config = parseKubeconfig(`${one}- {name: x, user: {}}`, '/k/one')
  assert.throws(
    () => selectContext(config, { context: 'third' }, ['/k/one']),
    /kubeconfig \/k\/one: there is no context "third"; contexts: first/,
  )
  assert.throws(
    () => selectContext(config, { user: 'joe' }, ['/k/one']),
    /context "first" names the user "joe", which is not there/,
  )
  assert.throws(
    () => selectContext(parseKubeconfig('', '/k/e'), {}, ['/k/e']),
    /current-context is not set; choose one of the contexts: none/,
  )
})

test('any text is a kubeconfig or a KubeconfigError [X1]', () => {
  const words = [
    'clusters',
    'users',
    'contexts',
    'name',
    'cluster',
    'user',
    'exec',
    'server',
    'https://a',
    ':',
    ' ',
    '\n',
    '- ',
    '{',
    '}',
    '[',
    ']',
    '&a',
    '*a',
    '"',
    '!!binary ',
    '0x7',
    '~',
  ]
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(fc.constantFrom(...words), { maxLength: 40 }).map(parts => parts.join('')),
      ),
      text => {
        try {
          parseKubeconfig(text, 'f')
        } catch (error) {
          assert.ok(error instanceof KubeconfigError, String(error))
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('the proxy of the environment is used unless the host is exempt', () => {
  const env = { HTTPS_PROXY: 'proxy:3128', NO_PROXY: '.internal,10.0.0.0/8,exact.com:6443,*.star' }
  const proxied = (server: string) => proxyFromEnv(env, server) !== undefined
  assert.equal(proxyFromEnv(env, 'https://api.example.com'), 'http://proxy:3128')
  assert.deepEqual(
    [
      'https://a.internal',
      'https://10.1.2.3',
      'https://11.1.2.3',
      'https://exact.com:6443',
      'https://exact.com',
      'https://a.star',
      'https://127.0.0.1',
      'http://api.example.com',
    ].map(proxied),
    [false, false, true, false, true, false, false, false],
  )
  assert.equal(proxyFromEnv({ HTTPS_PROXY: 'p', NO_PROXY: '*' }, 'https://a'), undefined)
})

test('a range exempts addresses alone: a name of four labels with numbers in it is none', () => {
  const proxied = (server: string, range: string) => proxyFromEnv({ HTTPS_PROXY: 'p', NO_PROXY: range }, server) !== undefined
  for (const [server, range, isProxied] of [
    ['https://10.255.0.255', '10.0.0.0/8', false],
    ['https://10.1.0.0', '10.0.0.0/16', true],
    ['https://10.0.0.7', '10.0.0.7/32', false],
    ['https://10.0.0.8', '10.0.0.7/32', true],
    ['https://10.0.0.8', '10.0.0.7/33', true],
    ['https://10.0.0.7', '10.0.0.7/33', true],
    ['https://10.0.0.7', '10.0.0.7/x', true],
    ['https://10.0.0.8', '10.0.0.256/24', true],
    ['https://10.0.0.8', '0.0.0.0/0', false],
    ['https://10.0.0.a', '0.0.0.0/0', true],
    ['https://10.b.0.example', '0.0.0.0/0', true],
  ] as const)
    assert.equal(proxied(server, range), isProxied, `${server} in ${range}`)
})
