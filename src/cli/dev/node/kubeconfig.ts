// A kubeconfig that names the files of a ServiceAccount, for programs whose root is not their own.

export function renderKubeconfig(server: string, caFile: string, tokenFile: string): string {
  const name = 'node'
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority': caFile } }],
    users: [{ name, user: { tokenFile } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  })
}
