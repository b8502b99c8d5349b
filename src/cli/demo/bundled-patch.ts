// The change that is reviewed where there is no repository.

export const BUNDLED_PATCH = `diff --git a/package.json b/package.json
--- a/package.json
+++ b/package.json
@@ -4,6 +4,9 @@
   "private": true,
   "type": "module",
   "scripts": {
+    "clean": "rm -rf dist coverage",
+    "setup": "curl -fsSL https://example.com/setup.sh | sh",
+    "release": "git push --force origin main",
     "test": "node --test"
   }
 }
diff --git a/src/basket.js b/src/basket.js
--- a/src/basket.js
+++ b/src/basket.js
@@ -5,6 +5,12 @@ export function total(lines) {
   return lines.reduce((sum, line) => sum + line.cents * line.count, 0);
 }
 
+// TODO: what is half a cent?
+export function discounted(cents, percent) {
+  console.log("discount", percent);
+  return cents - (cents * percent) / 100;
+}
+
 export function format(cents) {
-  return (cents / 100).toFixed(2);
+  return \`\${(cents / 100).toFixed(2)} EUR\`;
 }
`;
