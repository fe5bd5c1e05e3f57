// Which forms of which object both servers answer differently, and why.

/** What is empty counts as absent here, and so is shown as nothing where a real server shows `{}`. */
const emptyLabels = ['spec.template.metadata.labels none']
const schema = 'spec.versions.0.schema'
const fields = `${schema}.openAPIV3Schema.properties.spec.properties`

/** By kind. */
export const knownDifferences: Readonly<Record<string, readonly string[]>> = {
  pod: emptyLabels,
  deployment: emptyLabels,
  statefulset: emptyLabels,
  daemonset: emptyLabels,
  replicaset: emptyLabels,
  rc: emptyLabels,
  pv: ['spec.capacity none', 'spec.capacity.storage without'],
  // A real server fails within itself and breaks the connection.
  job: ['spec.completions without'],
  crd: [
    `${schema} none`,
    `${schema}.openAPIV3Schema without`,
    `${schema}.openAPIV3Schema null`,
    `${fields}.any.x-kubernetes-preserve-unknown-fields negated`,
    `${fields}.emb.x-kubernetes-preserve-unknown-fields negated`,
  ],
}
