// SPDX-License-Identifier: MIT

import Corinth

/// Names that are markup, code, or no printable text.
enum Texts {
  static let names = [
    "<script>window.hostile = 1</script>", "</script><script>window.hostile = 2</script>",
    "<!--<script>", "]]>&amp;&#x3c;", "\"quoted\" 'twice' `thrice`", "two\nlines\tand\r\nmore",
    "\u{202e}right to left\u{202c}", "מסד נתונים", "قاعدة البيانات",
    "<img src=x onerror=window.hostile=3>", String(repeating: "a", count: 3000), "\u{0}\u{7}",
    "__proto__", "constructor", "", "👩‍👩‍👧‍👦 e\u{301}", "${window.hostile=4}", "@CORINTH-GRAPH@",
    "javascript:window.hostile=5", "\\", "$& $1 $`", "\u{2028}", "#quot; end %% comment",
    "]; click n0 href \"javascript:window.hostile=6\"", "%%{init: {\"theme\": \"dark\"}}%%",
  ]

  static func make() throws -> Container {
    let container = Container()
    for (number, name) in names.enumerated() {
      let next = RegistrationKey(String.self, name: Name(names[(number + 1) % names.count]))
      try container.register(
        Int.self, name: Name(name), with: .dependsOn(keys: [next])
      ) { _ in 1 }
    }
    return container
  }
}
