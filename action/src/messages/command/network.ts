// What is said of proxies.

export function badProxy(variable: string): string {
  return `${variable} is no address of a proxy, as http://proxy.example:3128.`;
}

export function proxyRefused(host: string, status: number): string {
  return `the proxy ${host} refused to connect (${status})`;
}
