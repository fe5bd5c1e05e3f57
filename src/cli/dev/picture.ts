// The chain of trust as a picture, as wide as the terminal allows.

const wide = (object: string): string => `
  pod demo/reader          asks with its token         who vouches for the token?          who may have the role?
  ──────────────────────   ─────────────────────────   ─────────────────────────────────   ──────────────────────
  edge   (self-hosted) ──> STS                     ──> keys in the operator's bucket   ─┐
  stage  (EKS, IRSA)   ──> STS                     ──> keys of the cluster's issuer    ─┼─> demo/reader
  prod   (EKS)         ──> EKS Auth, by the agent  ──> EKS itself, by an association   ─┘   and nobody else
                                                                                            │
  ${`${object}: yes; anything else: no`.padStart(86)} <──┘
`

const narrow = (object: string): string => `
  pod demo/reader       who vouches for its token?
  ───────────────────   ──────────────────────────────────
  edge   (self-hosted)  keys in the operator's bucket    ─┐
  stage  (EKS, IRSA)    keys of the cluster's issuer     ─┤
  prod   (EKS)          EKS itself, by an association    ─┤
                                                          v
            the role, for demo/reader and nobody else    ─┤
                                                          v
  ${object}: yes; anything else: no
`

const plain = (object: string): string => `
  Who vouches for pod demo/reader?
  edge:  keys in the operator's bucket
  stage: keys of the cluster's issuer
  prod:  EKS, by an association

  Who may have its role?
  demo/reader and nobody else

  What may that read?
  ${object}
`

/** Columns of the widest line of each picture. */
const wideColumns = 113
const narrowColumns = 64

export function pictureOf(object: string, columns: number): string {
  if (columns >= wideColumns) return wide(object)
  return columns >= narrowColumns ? narrow(object) : plain(object)
}
