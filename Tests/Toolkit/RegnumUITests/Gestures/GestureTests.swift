// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import RegnumUITesting
import Testing

@MainActor @Suite struct GestureTests {
    private struct Dragged: View {
        let log: (String) -> Void
        var minimum: CGFloat = 10
        @GestureState private var isDragging = false
        @State private var offset = CGSize.zero

        var body: some View {
            Text(isDragging ? "dragging" : "resting")
                .gesture(
                    DragGesture(minimumDistance: minimum)
                        .updating($isDragging) { _, state, _ in state = true }
                        .onChanged {
                            offset = $0.translation
                            log("\(Int($0.translation.width))")
                        }
                        .onEnded { log("end \(Int($0.translation.width))") })
            Text("offset \(Int(offset.width))")
        }
    }

    @Test func aDragReportsItsTranslationAndItsEnd() async throws {
        var log: [String] = []
        let host = UIHost.pair(Dragged(log: { log.append($0) }))
        try await host.drag(.text("resting"), by: CGSize(width: 40, height: 0)) {
            #expect(host.exists(.text("dragging")))
        }
        #expect(host.exists(.text("resting")))
        #expect(host.exists(.text("offset 40")))
        #expect(log == ["20", "40", "end 40"])
    }

    @Test func aDragShorterThanItsMinimumIsIgnored() async throws {
        var log: [String] = []
        let host = UIHost.pair(Dragged(log: { log.append($0) }, minimum: 30))
        try await host.drag(.text("resting"), by: CGSize(width: 20, height: 0))
        #expect(log == [])
        try await host.drag(.text("resting"), by: CGSize(width: 40, height: 0))
        #expect(log == ["40", "end 40"])
    }

    @Test func gesturesAreComposed() async throws {
        struct Composed: View {
            let log: (String) -> Void
            var body: some View {
                Text("sequence").gesture(
                    LongPressGesture().sequenced(before: DragGesture()).onEnded {
                        if case .second(true, let drag?) = $0 { log("moved \(Int(drag.translation.height))") }
                    })
                Text("one of two").gesture(
                    TapGesture().exclusively(before: LongPressGesture()).onEnded {
                        switch $0 {
                        case .first: log("tap")
                        case .second: log("press")
                        }
                    })
                Text("both").gesture(
                    TapGesture().map { "tapped" }.simultaneously(with: LongPressGesture()).onEnded {
                        log("\($0.first ?? "-") \($0.second ?? false)")
                    })
            }
        }
        var log: [String] = []
        let host = UIHost.pair(Composed(log: { log.append($0) }))
        try await host.drag(.text("sequence"), by: CGSize(width: 0, height: 30))
        #expect(log == [])
        try await host.longPress(.text("sequence"))
        try await host.drag(.text("sequence"), by: CGSize(width: 0, height: 30))
        try await host.tap(.text("one of two"))
        try await host.longPress(.text("one of two"))
        try await host.tap(.text("both"))
        try await host.longPress(.text("both"))
        #expect(log == ["moved 30", "tap", "press", "tapped false", "- true"])
    }

    @Test func aButtonPrecedesAnOuterGestureAndRunsWithASimultaneousOne() async throws {
        struct Around: View {
            let log: (String) -> Void
            var body: some View {
                VStack { Button("inner") { log("inner") } }.gesture(TapGesture().onEnded { log("outer") })
                Button("own") { log("own") }.simultaneousGesture(TapGesture().onEnded { log("beside") })
                Text("masked").gesture(TapGesture().onEnded { log("masked") }, including: .subviews)
                Text("disabled").gesture(TapGesture().onEnded { log("disabled") }).disabled(true)
            }
        }
        var log: [String] = []
        let host = UIHost.pair(Around(log: { log.append($0) }))
        try await host.tap(.button("inner"))
        try await host.tap(.button("own"))
        #expect(log == ["inner", "own", "beside"])
        await #expect(throws: UIError.self) { try await host.tap(.text("masked")) }
        await #expect(throws: UIError.self) { try await host.tap(.text("disabled")) }
    }

    @Test func aDragOfAPageIsFiveNumbers() throws {
        let drag = { (value: String) in
            try ClientMessage.decode(#"{"t":"e","n":1,"id":2,"a":"drag","v":\#(value)}"#)
        }
        let expected = ActionValue.drag(
            .init(start: CGPoint(x: 1, y: 2), location: CGPoint(x: 3, y: -4), distance: 5.5, isEnd: true))
        #expect(try drag(#"{"drag":[1,2,3,-4,5.5],"end":true}"#) == .event(number: 1, 2, .drag, expected, edit: nil))
        for wrong in ["[1,2,3]", "[1,2,3,4,1e300]", "\"a\"", "[1,2,3,4,null]"] {
            #expect(throws: ProtocolError.self) { try drag(#"{"drag":\#(wrong)}"#) }
        }
    }
}
