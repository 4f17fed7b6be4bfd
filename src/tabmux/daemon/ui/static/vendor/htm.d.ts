// What the live view uses of htm.
declare const htm: {
  bind<T>(h: (type: unknown, props: unknown, ...children: unknown[]) => T):
    (texts: TemplateStringsArray, ...values: unknown[]) => T;
};
export default htm;
