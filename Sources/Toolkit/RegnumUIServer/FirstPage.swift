// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import RegnumUI

    /// The page before its script has run: the same text, without controls.
    struct FirstPage {
        let element: Element
        let key: String

        var html: String {
            let title = element.first { $0.kind == .page }?.name ?? ""
            return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="regnum-page" content="\(Self.escaped(key))">
                <title>\(Self.escaped(title))</title>
                <link rel="icon" href="data:,">
                <link rel="stylesheet" href="/ui.css">
                <script type="module" src="/ui.js"></script>
                </head>
                <body>
                <p id="notice" role="status" hidden></p>
                <main id="window">\(Self.content(of: element))</main>
                </body>
                </html>

                """
        }

        private static func content(of element: Element) -> String {
            if element.access[.hidden] == "true" { return "" }
            let children = element.children.map(content(of:)).joined()
            switch element.kind {
            case .text: return tagged(element.state[.level] == .number(1) ? "h1" : "span", escaped(element.text))
            case .list, .form: return tagged("ul", children)
            case .row: return tagged("li", children)
            case .page, .vstack, .hstack, .section, .dialog: return tagged("div", children)
            case .button, .link: return tagged("span", children.isEmpty ? escaped(element.name) : children)
            case .field, .editor: return tagged("span", escaped(element.state[.value]?.text ?? ""))
            case .picker, .secureField, .menu: return ""
            default: return children
            }
        }

        private static func tagged(_ tag: String, _ content: String) -> String { "<\(tag)>\(content)</\(tag)>" }

        static func escaped(_ text: String) -> String {
            var result = ""
            for character in text.unicodeScalars {
                switch character {
                case "&": result += "&amp;"
                case "<": result += "&lt;"
                case ">": result += "&gt;"
                case "\"": result += "&quot;"
                case "'": result += "&#39;"
                default: result.unicodeScalars.append(character)
                }
            }
            return result
        }
    }
#endif
