// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import PageMessages
import PageTestSupport
import RealmTestSupport
import Testing

/// The program to measure: `realm`, built for release.
private let tool = ProcessInfo.processInfo.environment["REGNUM_STUDIO_TOOL"]

/// Measures the program on a class of a million objects. Run only by `Scripts/studio-speed`, because measurements
/// aren't tests.
@Suite(.enabled(if: tool != nil, "only Scripts/studio-speed measures"))
struct SpeedTests {
    @Test func aMillionObjects() async throws {
        let kennel = try Kennel(measurements: 1_000_000)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try #require(tool))
        process.arguments = ["studio", kennel.path]
        process.standardOutput = output
        try process.run()
        let address = try #require(try OutputLines(output.fileHandleForReading).next())
        let browser = try Chromium()
        let tab = try await browser.open(address)
        try await tab.wait(for: "document.querySelector('.grid-row')")
        try await firstPage(tab)
        print("memory after it:", memory(process.processIdentifier))
        for distance in [-20_000, -400_000] { try await scroll(distance, tab) }
        try await turnToTheEnd(tab)
        print("memory after scrolling:", memory(process.processIdentifier))
        for query in ["SORT(value DESC)", "place == 'place 7' AND value > 50"] {
            try await tab.value("document.querySelector('#query').value = \(Tab.quoted(query))")
            try await tab.value("document.querySelector('#status').innerText = ''")
            try await tab.click("button", "Find")
            try await tab.wait(
                for: "document.querySelector('#status').innerText.includes('Measurement in')", seconds: 60)
            print("\(query):", try await tab.value("document.querySelector('#status').innerText").text ?? "")
        }
        for name in ["value", "place"] {
            try await tab.click("button", "Distribution")
            try await tab.click("dialog button", name)
            try await tab.wait(forText: "Distribution of \(name)", seconds: 60)
            print("\(name):", try await tab.value("document.querySelector('#answer .hint').innerText").text ?? "")
        }
        print("memory after all:", memory(process.processIdentifier))
        process.terminate()
        process.waitUntilExit()
        browser.close()
    }

    /// The time from the click on a class to the frame with its rows, by the browser's clock, and the page's computing
    /// time.
    private func firstPage(_ tab: Tab) async throws {
        var times: [Double] = []
        for _ in 0..<15 {
            try await tab.click("#classes a", "Dog")
            try await tab.wait(for: "\(StudioScene.cell(0, 2)) === 'Rex'")
            // Work scheduled after the next frame's callbacks runs when the frame is made.
            try await tab.value(
                """
                window.shown = undefined;
                addEventListener('click', event => {
                  const watcher = new MutationObserver(() => {
                    if (\(StudioScene.cell(0, 1)) !== '0' || \(StudioScene.cell(1, 1)) !== '1') return;
                    watcher.disconnect();
                    requestAnimationFrame(() => {
                      const channel = new MessageChannel();
                      channel.port1.onmessage = () => { window.shown = performance.now() - event.timeStamp; };
                      channel.port2.postMessage(0);
                    });
                  });
                  watcher.observe(document.querySelector('.grid'), { subtree: true, characterData: true, childList: true });
                }, { capture: true, once: true }); 0
                """)
            try await tab.click("#classes a", "Measurement")
            try await tab.wait(for: "window.shown")
            times.append(try await StudioScene.number("window.shown", tab))
        }
        times.sort()
        guard let least = times.first, let most = times.last else { return }
        print(
            "first page: \(Int(times[times.count / 2].rounded())) ms after the click in the middle of \(times.count),"
                + " \(Int(least.rounded())) to \(Int(most.rounded())) (goal 100);",
            try await tab.value("document.querySelector('#status').innerText").text ?? "")
    }

    private func turnToTheEnd(_ tab: Tab) async throws {
        let start = ContinuousClock.now
        let row = "\(StudioScene.rows).at(-1)"
        var turns = 0
        while try await tab.value("\(row).ariaRowIndex !== '1000001'") == .bool(true) {
            try await tab.turnWheel(100_000, over: ".grid")
            turns += 1
        }
        try await tab.wait(for: "\(row).children[1].innerText === '999999'")
        print("scrolling by \(turns) turns of the wheel to row 1,000,000: \(start.duration(to: .now))")
    }

    /// The resident memory of the process: anonymous memory, and mapped files.
    private func memory(_ process: Int32) -> String {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").filter { $0.hasPrefix("RssAnon") || $0.hasPrefix("RssFile") }
            .joined(separator: " ").replacing("\t", with: " ") + " (goal 200 MB of RssAnon)"
    }

    private func scroll(_ distance: Int, _ tab: Tab) async throws {
        let trace = try await FrameTrace(tab) {
            try await tab.order(
                "Input.synthesizeScrollGesture",
                [
                    "x": .number(500), "y": .number(400), "yDistance": JSONValue(distance),
                    "speed": JSONValue(abs(distance) / 4), "gestureSourceType": .text("mouse"),
                ])
        }
        print("scrolling \(-distance) pixels in 4 s:", trace.description)
    }
}
