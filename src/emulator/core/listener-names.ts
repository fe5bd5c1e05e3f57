// Names that the HTTPS listener of the emulator answers to.

/** Names of §2.2 that an HTTPS listener answers to, one wildcard deep. */
export function listenerNames(regions: readonly string[]): { readonly dns: readonly string[]; readonly ips: readonly string[] } {
  const regional = regions.flatMap(region => [`*.${region}.amazonaws.com`, `*.s3.${region}.amazonaws.com`, `*.${region}.api.aws`])
  return {
    dns: ['localhost', '*.localhost', '*.s3.localhost', '*.amazonaws.com', '*.s3.amazonaws.com', ...regional],
    ips: ['127.0.0.1', '::1'],
  }
}
