// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// results.svg: a panel for each workload with nanoseconds per operation by number of objects, both logarithmic.
struct Chart {
    let results: Results

    private static let columns = 5
    private static let margin = 24.0
    private static let heading = 34.0
    private static let legend = 74.0

    var svg: String {
        var body: [String] = []
        var y = Self.legend
        for group in results.groups {
            body.append(text(group.title, x: Self.margin, y: y + 22, "heading"))
            y += Self.heading
            for (index, name) in group.names.enumerated() {
                let x = Self.margin + Double(index % Self.columns) * Panel.width
                let top = y + Double(index / Self.columns) * Panel.height
                body.append("<g transform=\"translate(\(x) \(top))\">\n\(panel(name).svg)\n</g>")
            }
            y += Double((group.names.count + Self.columns - 1) / Self.columns) * Panel.height
        }
        let width = Self.margin * 2 + Panel.width * Double(Self.columns)
        let height = y + Self.margin
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)">
            <title>Nanoseconds per operation by the number of objects</title>
            \(Self.style)
            <rect class="ground" width="\(width)" height="\(height)"/>
            \(key)
            \(body.joined(separator: "\n"))
            </svg>

            """
    }

    private func panel(_ name: String) -> Panel {
        Panel(
            name: name, sizes: results.sizes, ours: results.series(name) { $0.regnum.median },
            theirs: results.series(name) { $0.grdb?.median },
            peer: results.sizes.contains(Peer.size) ? Peer.named(name) : nil)
    }

    private var key: String {
        let y = 50.0
        return [
            text("Time of an operation by the number of objects", x: Self.margin, y: 28, "title"),
            "<path class=\"ours\" d=\"M\(Self.margin) \(y - 4)h28\"/>",
            text("Regnum", x: Self.margin + 34, y: y, "label"),
            "<path class=\"theirs\" d=\"M\(Self.margin + 110) \(y - 4)h28\"/>",
            text("GRDB (SQLite), in the same run", x: Self.margin + 144, y: y, "label"),
            "<circle class=\"core\" cx=\"\(Self.margin + 370)\" cy=\"\(y - 4)\" r=\"4\"/>",
            text("realm-core (C++), in another run", x: Self.margin + 382, y: y, "label"),
            "<path class=\"goal\" d=\"M\(Self.margin + 610) \(y - 4)h14\"/>",
            text("goal made of it", x: Self.margin + 632, y: y, "label"),
        ].joined(separator: "\n")
    }

    /// Colours for light and dark backgrounds.
    private static let style = """
        <style>
        text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #24292f; }
        .ground { fill: #ffffff; }
        .title { font-size: 18px; font-weight: 600; }
        .heading { font-size: 16px; font-weight: 600; }
        .name { font-size: 12.5px; font-weight: 600; }
        .label { font-size: 13px; }
        .tick { font-size: 11px; fill: #57606a; }
        .grid { stroke: #d8dee4; stroke-width: 1; fill: none; }
        .ours { stroke: #0969da; stroke-width: 2.2; fill: none; stroke-linejoin: round; }
        .ours-point { fill: #0969da; }
        .theirs { stroke: #bc4c00; stroke-width: 1.6; fill: none; stroke-dasharray: 5 3; stroke-linejoin: round; }
        .theirs-point { fill: #bc4c00; }
        .core { stroke: #24292f; stroke-width: 1.6; fill: none; }
        .goal { stroke: #1a7f37; stroke-width: 2.4; fill: none; }
        @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; }
        .ground { fill: #0d1117; }
        .tick { fill: #9da7b3; }
        .grid { stroke: #30363d; }
        .ours { stroke: #58a6ff; }
        .ours-point { fill: #58a6ff; }
        .theirs { stroke: #f0883e; }
        .theirs-point { fill: #f0883e; }
        .core { stroke: #e6edf3; }
        .goal { stroke: #3fb950; }
        }
        </style>
        """
}

func text(_ words: String, x: Double, y: Double, _ style: String, anchor: String = "start") -> String {
    "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(words)</text>"
}
