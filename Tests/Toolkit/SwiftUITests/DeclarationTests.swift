// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUITesting
import SwiftUI
import Testing

/// Every form of a control, container, or modifier is shown without a logged message.
@MainActor @Suite struct DeclarationTests {
    private func show<V: View>(_ view: V, _ kind: UIQuery, _ count: Int) {
        let host = UIHost.pair(NavigationStack { view })
        #expect(host.log.isEmpty, "\(host.log)")
        #expect(host.all(kind).count == count, "\(V.self)")
    }

    @Test func everyFormIsShown() {
        show(ButtonForms(), .button(), 10)
        show(FieldForms(), .field(), 26)
        show(NumberForms(), .stepper(), 9)
        show(LabelForms(), .menu(), 8)
        show(ListForms(), .list(), 12)
        show(LinkForms(), .link(), 17)
        show(PresentationForms(), .text("alert"), 11)
        show(LookForms(), .text("look"), 9)
    }

    /// A literal may contain markup. A string of the app is shown verbatim.
    @Test func aLiteralIsAKeyAndAStringIsNot() {
        let marked = "**bold**"
        #expect(UIHost(Button("**bold**") {}).exists(.button("bold")))
        #expect(UIHost(Button(marked) {}).exists(.button("**bold**")))
    }

    @Test func anAlertWithoutDataIsNotPresented() async throws {
        struct Page: View {
            @State var isPresented = true
            @State var dog: NamedDog?
            var body: some View {
                Button("Give") { dog = NamedDog(id: 1, name: "Rex") }
                    .alert("Delete?", isPresented: $isPresented, presenting: dog) { Button("Delete \($0.name)") {} }
            }
        }
        let host = UIHost.pair(Page())
        #expect(host.presented == nil)
        try await host.tap(.button("Give"))
        #expect(host.presented?.role == .alert)
        try await host.tap(.button("Delete Rex"))
        #expect(host.presented == nil)
    }
}
