// The certificate operator on a real kube-apiserver, whose own CEL judges the CRD, and its certificate before clients that are not ours.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dump } from 'js-yaml'
import { certificateLifecycle } from '../certificates/lifecycle.ts'
import { renderKubeconfig } from './control-plane.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const run = promisify(execFile)
const skip = (await controlPlaneSkipped()) ?? false

certificateLifecycle(
  'a real kube-apiserver',
  async () => {
    const plane = await sharedControlPlane()
    return {
      kubeconfig: renderKubeconfig({ ...plane, token: plane.adminToken }),
      exchange: plane.exchange,
      address: plane.address,
      apply: async objects => {
        const input = objects.map(object => `---\n${dump(object, { noRefs: true })}`).join('')
        const { code, stderr } = await plane.kubectl(['apply', '--server-side', '-f', '-'], { input })
        assert.equal(code, 0, stderr)
        const names = objects.map(({ metadata }) => `crd/${metadata.name}`)
        const waited = await plane.kubectl(['wait', '--for=condition=Established', '--timeout=30s', ...names])
        assert.equal(waited.code, 0, waited.stderr)
      },
    }
  },
  {
    skip,
    clients: async ({ port, name, root }) => {
      const { folder } = await sharedControlPlane()
      const file = join(folder, 'root.pem')
      writeFileSync(file, root)
      const at = ['-connect', `127.0.0.1:${port}`, '-servername', name, '-verify_hostname', name]
      const asking = run('openssl', ['s_client', ...at, '-CAfile', file, '-verify_return_error', '-brief'], { timeout: 20_000 })
      // It waits for input; the end of none ends it.
      asking.child.stdin?.end()
      const shown = await asking
      assert.match(`${shown.stdout}${shown.stderr}`, /Verification: OK/)
      const url = `https://${name}:${port}/`
      const { stdout } = await run('curl', [
        '--silent',
        '--show-error',
        '--cacert',
        file,
        '--resolve',
        `${name}:${port}:127.0.0.1`,
        url,
      ])
      assert.equal(stdout, 'hello')
    },
  },
)
